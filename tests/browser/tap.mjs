/* What the tests here share: TAP. */
let count = 0, failed = 0;

export function point(name, passed, ...why) {
  failed += !passed;
  console.log(`${passed ? "ok" : "not ok"} ${++count} - ${name.replaceAll("#", "")}`);
  if (!passed) for (const line of why.flat().slice(0, 12)) console.log("#   " + String(line).slice(0, 300));
  return passed;
}

export const equal = (name, expected, found) => point(name, expected === found, `expected ${expected}`, `found    ${found}`);

export function end() {
  console.log(`1..${count}`);
  process.exit(failed ? 1 : 0);
}

/* The page of many runs: what got worse, and programs, are filtered by kind and by words. */
(() => {
  const form = document.getElementById("filter"),
        rows = [...document.querySelectorAll("#regressions tbody tr[data-kind]")];
  const [words, kind] = [form.elements.words, form.elements.kind], count = form.querySelector("output");
  const programs = [...document.querySelectorAll("section.program")];

  function has(e, wanted) {
    const text = e.textContent.toLowerCase();
    return wanted.every((word) => text.includes(word));
  }

  function apply() {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const run = row.parentNode.rows[0];
      row.hidden = (kind.value && row.dataset.kind !== kind.value) ||
        !wanted.every((word) => has(row, [word]) || has(run, [word]));
      shown += !row.hidden;
    }
    for (const body of document.querySelectorAll("#regressions tbody"))
      body.hidden = [...body.rows].slice(1).every((row) => row.hidden);
    const left = programs.filter((program) => !(program.hidden = wanted.length > 0 && !has(program, wanted)));
    count.textContent = `${shown} of ${rows.length} rows, ${left.length} of ${programs.length} programs`;
    const state = "#" + new URLSearchParams({ words: words.value, kind: kind.value });
    history.replaceState(null, "", wanted.length || kind.value ? state : location.pathname);
  }

  for (const name of new Set(rows.map((row) => row.dataset.kind))) kind.append(new Option(name, name));
  const given = new URLSearchParams(location.hash.slice(1));
  if (given.has("words")) [words.value, kind.value] = [given.get("words"), given.get("kind") ?? ""];
  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  if (given.has("words")) apply();
})();

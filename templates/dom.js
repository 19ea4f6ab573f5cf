"use strict";
/* Elements made by scripts. Text from the trace is only ever set as textContent. */
const dom = (() => {
  function element(name, className, text) {
    const e = document.createElement(name);
    if (className) e.className = className;
    if (text !== undefined) e.textContent = text;
    return e;
  }

  function action(text, run) {
    const b = element("button", "", text);
    b.type = "button";
    b.addEventListener("click", run);
    return b;
  }

  /* A button that copies what text() returns, and says whether it could. */
  function copier(words, text) {
    const button = action(words, async () => {
      try {
        await navigator.clipboard.writeText(await text());
        button.textContent = "Copied";
      } catch {
        button.textContent = "Could not copy";
      }
      setTimeout(() => { button.textContent = words; }, 1500);
    });
    return button;
  }

  /*
   * To a place in the page, as a link goes there. A frame of another page may have an origin of its own; then it must
   * not load its own address again, whatever the fragment, and posts the new one, as it posts others.
   */
  const framed = window !== top;

  function go(fragment) {
    if (!framed) {
      location.hash = fragment;
      return;
    }
    history.pushState(null, "", fragment);
    dispatchEvent(new HashChangeEvent("hashchange"));
  }

  /* Opens what an element is hidden in. What was opened learns of it before anybody asks where it is. */
  function expose(target) {
    for (let e = target; e; e = e.parentElement) {
      if (e.tagName !== "DETAILS") continue;
      e.open = true;
      e.dispatchEvent(new Event("exposed"));
    }
  }

  /* What a filter or a search looks for: every word, in any order and case. */
  function words(text) {
    return text.toLowerCase().split(/\s+/).filter(Boolean);
  }

  return { framed, element, action, copier, go, expose, words };
})();

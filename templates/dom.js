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

  /*
   * To a place in the page, as a link goes there. A frame of another page may have an origin of its own; then it must
   * not load its own address again, whatever the fragment, and is told of the new one as it is told of others.
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

  /* Opens what an element is hidden in. */
  function expose(target) {
    for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
  }

  /* What a filter or a search looks for: every word, in any order and case. */
  function words(text) {
    return text.toLowerCase().split(/\s+/).filter(Boolean);
  }

  return { framed, element, action, go, expose, words };
})();

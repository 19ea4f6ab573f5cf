/*
 * A text with numbered lines. All of it is in the page at once, so that the browser finds and copies it, but lines
 * become elements with colors only where somebody looks: a text of some megabytes opens as fast as a short one.
 */
const code = (() => {
  const { element } = dom;
  const CHUNK = 200; // lines; .chunk in viewer.css knows it too

  class View {
    /* `link` makes an element of a place that a comment of a graph names; without it places are text. `numbers` stand
       before the lines instead of their own. */
    constructor(text, language, label, { link, numbers } = {}) {
      this.lines = text.split("\n");
      if (this.lines.at(-1) === "") this.lines.pop();
      this.languageOf = colors.languages(this.lines, language);
      this.link = language === "fx" ? link : null;
      this.numbers = numbers;
      this.marks = new Map(); // class -> set of lines
      this.area = element("div", "text");
      this.area.tabIndex = 0;
      this.area.setAttribute("role", "group");
      this.area.setAttribute("aria-label", label);
      this.pre = element("pre", "code");
      this.chunks = this.#chunksOf(text);
      this.pre.append(...this.chunks);
      this.area.append(this.pre);
      this.observer = new IntersectionObserver((entries) => {
        for (const entry of entries) if (entry.isIntersecting) this.build(this.chunks.indexOf(entry.target));
      }, { root: this.area, rootMargin: "600px" });
      this.chunks.forEach((chunk) => this.observer.observe(chunk));
    }

    #chunksOf(text) {
      const chunks = [];
      let at = 0;
      for (let i = 0; i < this.lines.length; i += CHUNK) {
        let length = 0;
        for (let k = i; k < Math.min(i + CHUNK, this.lines.length); k++) length += this.lines[k].length + 1;
        chunks.push(element("span", "chunk", text.slice(at, at + length)));
        at += length;
      }
      return chunks.length ? chunks : [element("span", "chunk", text)];
    }

    /* Turns a chunk into lines. */
    build(number) {
      const chunk = this.chunks[number], rows = [];
      if (chunk.classList.contains("built") || !this.lines.length) return;
      const ends = chunk.textContent.endsWith("\n");
      const last = Math.min((number + 1) * CHUNK, this.lines.length);
      for (let i = number * CHUNK; i < last; i++) rows.push(this.#row(i, i + 1 < last || ends));
      chunk.replaceChildren(...rows);
      chunk.classList.add("built");
      this.observer.unobserve(chunk);
    }

    #row(i, ends) {
      const row = element("span", "row"), line = this.lines[i];
      row.dataset.line = i + 1;
      if (this.numbers) row.dataset.number = this.numbers[i];
      for (const [name, lines] of this.marks) if (lines.has(i + 1)) row.classList.add(name);
      const place = this.link && colors.place(line);
      if (place) {
        row.append(...colored(line.slice(0, place.begin), "fx"), this.link(line.slice(place.begin, place.end), place),
          element("span", "comment", line.slice(place.end)));
      } else {
        row.append(...colored(line, this.languageOf(i)));
      }
      if (ends) row.append("\n");
      return row;
    }

    /* The element of a line, made if it is not there yet. */
    row(line) {
      const number = Math.floor((line - 1) / CHUNK);
      if (!(line >= 1 && line <= this.lines.length)) return null;
      this.build(number);
      return this.chunks[number].children[(line - 1) % CHUNK];
    }

    #ifBuilt(line) {
      const chunk = this.chunks[Math.floor((line - 1) / CHUNK)];
      return chunk?.classList.contains("built") ? chunk.children[(line - 1) % CHUNK] : null;
    }

    /* Gives lines, and no others, a class. */
    mark(name, lines) {
      for (const line of this.marks.get(name) ?? []) this.#ifBuilt(line)?.classList.remove(name);
      this.marks.set(name, lines);
      for (const line of lines) this.#ifBuilt(line)?.classList.add(name);
    }

    /* Scrolls inside the area alone. */
    show(line) {
      const row = this.row(line);
      if (!row) return;
      const box = row.getBoundingClientRect(), frame = this.area.getBoundingClientRect();
      if (box.top >= frame.top && box.bottom <= frame.bottom) return;
      this.area.scrollTop += box.top - frame.top - this.area.clientHeight / 3;
    }

    /* Line of an event, and whether it is on the number in front of it. */
    lineAt(event) {
      const row = event.target.closest?.(".row");
      if (!row) return null;
      const gutter = parseFloat(getComputedStyle(row, "::before").width);
      const edge = Math.max(row.getBoundingClientRect().left, this.area.getBoundingClientRect().left);
      return { line: +row.dataset.line, onNumber: event.clientX - edge <= gutter };
    }
  }

  function colored(line, language) {
    return colors.pieces(line, language).map(([text, kind]) => kind ? element("span", kind, text) : text);
  }

  return { View, colored };
})();

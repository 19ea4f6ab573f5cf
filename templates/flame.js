"use strict";
/* The flame chart: all events of a process on a canvas, to zoom into, to walk with the keyboard and to search. Without
   this script the page has a drawing of the longer events; the tables hold the same times. */
(() => {
  const ROW = 18, AXIS = 18, LABEL_LEAST = 24, NEAR = 0.4, TICK_LEAST = 90, TOTALS_MAX = 15;
  const MILLISECOND = 1e6, SECOND = 1e9;

  function took(ns) {
    if (ns < 1e3) return ns + " ns";
    if (ns < MILLISECOND) return (ns / 1e3).toPrecision(3) + " \u00b5s";
    if (ns < SECOND) return (ns / MILLISECOND).toPrecision(3) + " ms";
    return (ns / SECOND).toPrecision(ns < 1e3 * SECOND ? 3 : 4) + " s";
  }

  /* Parents before children, siblings by time: as they stand in the trace. */
  function read(figure) {
    const numbers = figure.dataset.events.split(" "), names = [...figure.querySelectorAll(".names > li")];
    const ids = [...figure.querySelectorAll(".ids > li > *")], events = [], open = [];
    for (let i = 0; i + 5 < numbers.length; i += 6) {
      const [at, length, row, name, id, ended] = numbers.slice(i, i + 6).map(Number);
      const { phase, waits } = names[name].dataset;
      const event = { at, length, row, ended, id: ids[id], name: names[name].textContent, phase, waits,
        index: events.length, parent: open[row - 1], inside: 0 };
      if (event.parent) event.parent.inside += length;
      open[row] = event;
      events.push(event);
    }
    return events;
  }

  const share = (part) => (part && part < 0.01 ? "<1" : (100 * part).toFixed(0)) + " %";

  /* "[0/1] forward: dynamo": the outermost events of all compiles have one name. */
  function rootName(e) {
    const name = compiles.functionOf(e.id.getAttribute("href")?.slice(1));
    return e.id.textContent + (name ? " " + name : "") + ": " + e.name;
  }

  function palette() {
    const style = getComputedStyle(document.documentElement);
    const value = (name) => style.getPropertyValue(name).trim();
    return { phase: (n) => value("--p" + n), edge: value("--bg"), dim: value("--code"), mark: value("--fg"),
      axis: value("--muted"), line: value("--line") };
  }

  class Chart {
    constructor(name, events, from, to) {
      this.name = name;
      this.events = events;
      this.from = this.home = from;
      this.to = this.end = to;
      this.top = Math.min(...events.map((e) => e.row));
      this.rows = Math.max(...events.map((e) => e.row)) - this.top + 1;
      this.chosen = this.hovered = null;
      this.words = "";
      this.box = dom.element("div", "chart made");
      this.canvas = dom.element("canvas");
      this.canvas.tabIndex = 0;
      this.canvas.setAttribute("role", "application");
      this.canvas.setAttribute("aria-label", "Flame chart of " + name + ". Arrow keys walk from event to event, " +
        "Enter zooms to one, plus and minus zoom, 0 shows all. The tables of this section hold the same times.");
      this.status = dom.element("p", "meta status");
      this.status.setAttribute("aria-live", "polite");
      this.tip = dom.element("div", "tip");
      this.tip.hidden = true;
      this.tip.setAttribute("aria-hidden", "true"); // the status says the same
      const area = dom.element("div", "area");
      area.append(this.canvas, this.tip);
      this.totals = this.totalsBox();
      this.box.append(this.bar(), area, this.status, this.totals);
      this.listen();
      this.announce(null);
    }

    bar() {
      const bar = dom.element("div", "filter");
      const label = dom.element("label", "", "Highlight "), input = dom.element("input");
      input.type = "search";
      input.placeholder = "name of an event";
      input.addEventListener("input", () => {
        this.words = input.value.toLowerCase();
        this.draw();
        this.announce(this.chosen);
      });
      label.append(input);
      bar.append(dom.action("Zoom in", () => this.zoom(0.5)), dom.action("Zoom out", () => this.zoom(2)),
        dom.action("All", () => this.show(this.home, this.end)), label);
      return bar;
    }

    listen() {
      const canvas = this.canvas;
      let grip = null;
      canvas.addEventListener("pointerdown", (e) => {
        grip = { x: e.offsetX, from: this.from, to: this.to, moved: false };
      });
      canvas.addEventListener("pointermove", (e) => {
        if (grip && e.buttons) this.drag(grip, e.offsetX);
        else this.hover(this.eventAt(e.offsetX, e.offsetY), e.offsetX, e.offsetY);
      });
      canvas.addEventListener("pointerup", (e) => {
        if (grip && !grip.moved) this.choose(this.eventAt(e.offsetX, e.offsetY), true);
        grip = null;
      });
      canvas.addEventListener("pointerleave", () => { grip = null; this.hover(null); });
      canvas.addEventListener("wheel", (e) => {
        if (!e.ctrlKey) return; // a page that scrolls must not stop here
        e.preventDefault();
        this.zoom(e.deltaY < 0 ? 0.8 : 1.25, e.offsetX / canvas.clientWidth);
      }, { passive: false });
      canvas.addEventListener("keydown", (e) => this.key(e));
      /* Drawing changes the size of the canvas: not while sizes are being observed. */
      new ResizeObserver(() => requestAnimationFrame(() => this.draw())).observe(canvas);
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    }

    drag(grip, x) {
      const by = (grip.x - x) / this.canvas.clientWidth * (grip.to - grip.from);
      if (Math.abs(grip.x - x) < 4 && !grip.moved) return;
      grip.moved = true;
      this.show(grip.from + by, grip.to + by);
    }

    key(e) {
      const at = this.chosen, steps = {
        ArrowDown: () => at ? this.events.find((x) => x.parent === at) : this.events[0],
        ArrowUp: () => at && at.parent,
        ArrowRight: () => this.sibling(1),
        ArrowLeft: () => this.sibling(-1),
      };
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      if (steps[e.key]) this.choose(steps[e.key]() || at || this.events[0], false);
      else if (e.key === "Enter" && at) this.choose(at, true);
      else if (e.key === "+" || e.key === "=") this.zoom(0.5);
      else if (e.key === "-") this.zoom(2);
      else if (e.key === "0" || e.key === "Escape") this.show(this.home, this.end);
      else return;
      e.preventDefault();
    }

    /* --- totals of the chosen event, or of what is in view --- */

    totalsBox() {
      const box = dom.element("details", "totals");
      box.append(dom.element("summary", "", "Totals by event"), dom.element("div", "scroll"));
      box.addEventListener("toggle", () => this.sum());
      return box;
    }

    /* Bottom up: by name, the time that is not in what is inside, as far as it is in the chosen stretch. */
    sum() {
      if (!this.totals.open) return;
      const from = this.chosen ? this.chosen.at : this.from,
            to = this.chosen ? this.chosen.at + this.chosen.length : this.to;
      const within = (e) => Math.max(Math.min(e.at + e.length, to) - Math.max(e.at, from), 0);
      const sums = new Map(), alone = new Map();
      for (const e of this.events) {
        if (this.chosen && e.row < this.chosen.row) continue;
        alone.set(e, within(e) + (alone.get(e) ?? 0));
        if (e.parent) alone.set(e.parent, (alone.get(e.parent) ?? 0) - within(e));
      }
      for (const e of this.events) {
        if (!alone.has(e) || within(e) === 0) continue;
        const sum = sums.get(e.name) ?? { name: e.name, phase: e.phase, n: 0, alone: 0, whole: 0 };
        sum.n++;
        sum.alone += Math.max(alone.get(e), 0);
        if (!this.isWithinSame(e)) sum.whole += within(e);
        sums.set(e.name, sum);
      }
      this.fill([...sums.values()].sort((a, b) => b.alone - a.alone), to - from);
    }

    /* Of events within events of the same name the outermost counts. */
    isWithinSame(e) {
      for (let p = e.parent; p; p = p.parent) if (p.name === e.name) return true;
      return false;
    }

    fill(sums, length) {
      const all = sums.reduce((sum, s) => sum + s.alone, 0);
      const table = dom.element("table", "narrow"), body = dom.element("tbody");
      const head = dom.element("thead"), top = dom.element("tr"), number = (text) => dom.element("td", "number", text);
      for (const title of ["Event", "Count", "Self time", "Share", "Total"]) {
        const kind = title === "Event" ? "" : "number";
        const th = dom.element("th", kind, title);
        th.scope = "col";
        top.append(th);
      }
      for (const s of sums.slice(0, TOTALS_MAX)) {
        const row = dom.element("tr"), name = dom.element("td");
        name.append(dom.element("span", "swatch phase" + s.phase), s.name);
        row.append(name, number(String(s.n)), number(took(s.alone)), number(share(s.alone / (all || 1))),
          number(took(s.whole)));
        body.append(row);
      }
      head.append(top);
      const subject = this.chosen ? this.chosen.name : "What is in view";
      const more = sums.length > TOTALS_MAX ? "; " + (sums.length - TOTALS_MAX) + " more names" : "";
      table.append(dom.element("caption", "", subject + ": " + took(Math.round(length)) + more), head, body);
      this.totals.lastChild.replaceChildren(table);
    }

    /* The next of the same row, which may be the child of another. */
    sibling(step) {
      if (!this.chosen) return null;
      for (let i = this.events.indexOf(this.chosen) + step; this.events[i]; i += step)
        if (this.events[i].row === this.chosen.row) return this.events[i];
      return null;
    }

    zoom(factor, where = 0.5) {
      const length = (this.to - this.from) * factor, middle = this.from + (this.to - this.from) * where;
      this.show(middle - length * where, middle + length * (1 - where));
    }

    show(from, to) {
      const least = Math.max((this.end - this.home) / 1e6, 10),
            length = Math.min(Math.max(to - from, least), this.end - this.home);
      this.from = Math.min(Math.max(from, this.home), this.end - length);
      this.to = this.from + length;
      this.draw();
      this.sum();
    }

    choose(event, near) {
      this.chosen = event;
      if (event && near) {
        const margin = event.length * 0.02;
        this.show(event.at - margin, event.at + event.length + margin);
      } else if (event && (event.at > this.to || event.at + event.length < this.from)) {
        this.show(event.at - (this.to - this.from) / 4, event.at + (this.to - this.from) * 3 / 4);
      }
      this.draw();
      this.announce(event);
      this.sum();
    }

    hover(event, x, y) {
      this.tip.hidden = !event;
      if (event) {
        this.tip.textContent = event.name + " \u2013 " + took(event.length) + " \u2013 " + event.id.textContent;
        this.tip.style.left = Math.max(Math.min(x + 12, this.canvas.clientWidth - this.tip.offsetWidth), 0) + "px";
        this.tip.style.top = y + 16 + "px";
      }
      if (event === this.hovered) return;
      this.hovered = event;
      this.draw();
    }

    eventAt(x, y) {
      const row = Math.floor((y - AXIS) / ROW) + this.top, scale = this.canvas.clientWidth / (this.to - this.from);
      const ns = this.from + x / scale;
      const hit = (e) => e.row === row && e.at <= ns && ns <= e.at + Math.max(e.length, 2 / scale);
      return this.events.findLast(hit) ?? null;
    }

    /* What the chosen event is, in words: the chart for those who cannot see it. */
    announce(event) {
      const found = this.words ? this.events.filter((e) => this.finds(e)) : [];
      this.status.textContent = this.words ? found.length + " of " + this.events.length + " events. " : "";
      if (!event) {
        this.status.append("Click an event to zoom to it, drag to move, Ctrl and wheel to zoom; or use the keyboard: " +
          "arrows, Enter, +, \u2212, 0.");
        return;
      }
      const link = event.id.cloneNode(true);
      const alone = Math.max(event.length - event.inside, 0);
      this.status.append(dom.element("b", "", event.name), ": " + took(event.length) +
        (event.inside ? ", " + took(alone) + " of it not in what is inside" : "") +
        (event.waits ? ", waiting" : "") + (event.ended ? "" : ", no end was recorded") +
        ", " + (100 * event.length / (this.end - this.home)).toPrecision(2) + " % of the chart, in ", link);
    }

    finds(e) {
      return e.name.toLowerCase().includes(this.words);
    }

    draw() {
      const ratio = devicePixelRatio || 1, width = this.canvas.clientWidth, colors = palette();
      const g = this.canvas.getContext("2d"), scale = width / (this.to - this.from);
      if (!width) return;
      this.canvas.style.height = AXIS + this.rows * ROW + "px";
      this.canvas.width = width * ratio;
      this.canvas.height = (AXIS + this.rows * ROW) * ratio;
      g.scale(ratio, ratio);
      g.font = "11px system-ui, sans-serif";
      g.textBaseline = "middle";
      this.drawAxis(g, width, scale, colors);
      for (const e of this.events) {
        const x = (e.at - this.from) * scale, w = Math.max(e.length * scale, NEAR);
        if (x + w < 0 || x > width) continue;
        this.drawEvent(g, e, Math.max(x, 0), Math.min(x + w, width) - Math.max(x, 0), colors);
      }
    }

    /* Times of compiling since the start of the chart, at round numbers. */
    drawAxis(g, width, scale, colors) {
      const least = TICK_LEAST / scale, power = 10 ** Math.floor(Math.log10(least));
      const step = power * [1, 2, 5, 10].find((n) => n * power >= least);
      g.fillStyle = colors.axis;
      g.strokeStyle = colors.line;
      g.lineWidth = 1;
      for (let at = Math.ceil((this.from - this.home) / step) * step; at <= this.to - this.home; at += step) {
        const x = Math.round((at + this.home - this.from) * scale) + 0.5;
        g.beginPath();
        g.moveTo(x, 2);
        g.lineTo(x, AXIS + this.rows * ROW);
        g.stroke();
        g.fillText(at ? took(Math.round(at)) : "0", x + 3, AXIS / 2);
      }
    }

    drawEvent(g, e, x, w, colors) {
      const y = AXIS + (e.row - this.top) * ROW, dimmed = this.words && !this.finds(e);
      g.fillStyle = dimmed ? colors.dim : colors.phase(e.phase);
      g.fillRect(x, y, Math.max(w - (w > 3 ? 1 : 0), NEAR), ROW - 1);
      if (e.waits && !dimmed) this.hatch(g, x, y, w);
      if (e === this.chosen || e === this.hovered) {
        g.strokeStyle = colors.mark;
        g.lineWidth = e === this.chosen ? 2 : 1;
        g.strokeRect(x + 1, y + 1, Math.max(w - 3, 1), ROW - 3);
      }
      if (w < LABEL_LEAST || dimmed) return;
      g.save();
      g.beginPath();
      g.rect(x, y, w - 3, ROW);
      g.clip();
      g.fillStyle = "#101418";
      g.fillText(e.parent ? e.name : rootName(e), x + 4, y + ROW / 2);
      g.restore();
    }

    /* Waiting is striped: different from work without color, too. */
    hatch(g, x, y, w) {
      g.save();
      g.beginPath();
      g.rect(x, y, w - 1, ROW - 1);
      g.clip();
      g.strokeStyle = "rgba(255, 255, 255, .55)";
      g.lineWidth = 2;
      g.beginPath();
      for (let i = x - ROW; i < x + w && i < x + 4000; i += 8) {
        g.moveTo(i, y + ROW);
        g.lineTo(i + ROW, y);
      }
      g.stroke();
      g.restore();
    }
  }

  /* Of several processes one chart is in sight, which the reader chooses. */
  function choice(figures) {
    const bar = dom.element("p", "filter");
    const label = dom.element("label", "", "Process "), select = dom.element("select");
    const others = document.querySelector("div.charts");
    for (const figure of figures)
      select.append(dom.element("option", "", figure.querySelector("figcaption").textContent.split(":")[0]));
    select.addEventListener("change", () => {
      const chosen = figures[select.selectedIndex];
      others.firstElementChild.append(...figures.filter((f) => f !== chosen));
      others.before(chosen);
    });
    label.append(select);
    bar.append(label);
    figures[0].before(bar);
    others.hidden = true;
  }

  const figures = [...document.querySelectorAll("figure.flame")];
  if (figures.length > 1) choice(figures);
  const charts = new Map(); // id of a compile's entry -> [name, events] of each process that has any
  for (const figure of figures) {
    const events = read(figure);
    if (!events.length) continue;
    const name = figure.querySelector("figcaption").textContent.split(":")[0];
    figure.querySelectorAll(".static").forEach((e) => { e.hidden = true; });
    figure.append(new Chart(name, events, 0, +figure.dataset.axis).box);
    for (const event of events) {
      const id = event.id.getAttribute("href")?.slice(1);
      if (!charts.has(id)) charts.set(id, []);
      charts.get(id).push(event);
    }
  }

  /* The part of the chart that one compile takes, in its entry, when that is opened first. */
  document.addEventListener("toggle", (event) => {
    const entry = event.target, events = charts.get(entry.id);
    if (!entry.matches?.("details.compile") || !entry.open || !events) return;
    charts.delete(entry.id);
    const end = Math.max(...events.map((e) => e.at + e.length));
    const place = dom.element("details", "timeline made"), summary = dom.element("summary", "", "Timeline");
    place.append(summary);
    place.addEventListener("toggle", () => {
      if (place.open && !place.querySelector(".chart"))
        place.append(new Chart(entry.querySelector(".id").textContent, events, events[0].at, end).box);
    });
    entry.querySelector(".body")?.append(place);
  }, true);
})();

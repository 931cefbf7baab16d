"use strict";
(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  const pool = game.pool;
  const words = new Map(game.words.map(([name, one, many, hue], order) => [name, { one, many, hue, order }]));
  const KEPT = 64;
  const MANY = 16;
  const NEWS = 8;
  const WIDE = 7;
  const at = (id) => document.getElementById(id);
  let tab = 0;
  let here = 0;
  let decision = 0;
  const unfolded = new Set();

  // ---------------------------------------------------------------- elements

  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
    return element;
  }

  const word = (name, number = 1) => {
    const found = words.get(name);
    return found ? (number === 1 ? found.one : found.many) : String(name).replaceAll("_", " ");
  };

  // ---------------------------------------------------------------- states

  const isEmpty = (value) =>
    value === 0 || value === false || value === null || value === undefined || value === "" ||
    (Array.isArray(value) && !value.length) ||
    (value instanceof Map && ![...value].some(([name, one]) => name !== "seen" && one));

  const settled = (value) =>
    value !== null && typeof value === "object" && !Array.isArray(value) ? new Map(Object.entries(value)) : value;

  function applied(state, changes) {
    for (const number of changes) {
      const [path, first, second] = pool[number];
      if (pool[number].length === 2) state[path] = settled(first);
      else if (second === 1) {
        const counts = new Map(state[path]);
        for (const [name, count] of Object.entries(first)) {
          if (count) counts.set(name, count);
          else counts.delete(name);
        }
        state[path] = counts;
      } else state[path] = [...state[path].slice(0, first), ...second];
    }
    return state;
  }

  for (const one of game.tabs) {
    one.used = new Set();
    one.kept = [];
    const state = [];
    one.steps.forEach((step, number) => {
      applied(state, step[6]);
      for (const change of step[6]) {
        const path = pool[change][0];
        if (!isEmpty(state[path])) one.used.add(path);
      }
      if (number % KEPT === 0) one.kept.push(state.slice());
    });
  }

  function stateAt(one, number) {
    if (number < 0) return [];
    const nearest = Math.floor(number / KEPT);
    const state = one.kept[nearest].slice();
    for (let step = nearest * KEPT + 1; step <= number; step += 1) applied(state, one.steps[step][6]);
    return state;
  }

  // ---------------------------------------------------------------- values

  function chip(text, name, ...classes) {
    const hue = words.get(name)?.hue;
    const tinted = hue !== null && hue !== undefined;
    const element = make("span", { class: ["chip", tinted ? "tinted" : "", ...classes].filter(Boolean).join(" ") }, text);
    if (tinted) element.style.setProperty("--hue", hue);
    return element;
  }

  const counted = (name, number) => (number === 1 ? word(name) : `${number} ${word(name, number)}`);

  const signed = (number) => String(number).replace("-", "−");

  function single(value) {
    if (value === true) return "yes";
    if (value === false || value === null || value === undefined) return "–";
    return typeof value === "string" ? word(value) : signed(value);
  }

  function counts(value) {
    if (value instanceof Map) return new Map([...value].filter(([name]) => name !== "seen" && name !== "unseen"));
    const found = new Map();
    for (const name of Array.isArray(value) ? value : typeof value === "string" ? [value] : []) {
      found.set(name, (found.get(name) || 0) + 1);
    }
    return found;
  }

  const order = (name) => words.get(name)?.order ?? Infinity;

  function veiled(value, before) {
    if (!(value instanceof Map) || !value.has("unseen")) return [];
    const number = value.get("unseen");
    const was = before instanceof Map ? before.get("unseen") : number;
    const fresh = number !== was ? "new" : "";
    const columns = value.get("seen");
    if (columns && Object.keys(columns).length) {
      const rows = Object.values(columns);
      return rows[0].map((first, i) => chip(rows.map((row) => single(row[i])).join(" "), first, "veiled", fresh));
    }
    return number || fresh ? [chip(`${number} unseen`, null, "veiled", fresh)] : [];
  }

  function said(notes, index) {
    const parts = notes.map((note) => note?.[index]).filter((one) => !isEmpty(one)).map(single);
    return parts.length ? make("span", { class: "note" }, `(${parts.join(", ")})`) : null;
  }

  /* Like components that lie next to each other are one item, unless something is said of each. */
  function piles(names, noted) {
    const found = [];
    for (const name of names) {
      if (!noted && found.length && found.at(-1)[0] === name) found.at(-1)[1] += 1;
      else found.push([name, 1]);
    }
    return found;
  }

  function place(path, value, before, changed, notes) {
    const now = counts(value);
    const old = changed ? counts(before) : now;
    const gone = [...old].filter(([name, number]) => number > (now.get(name) || 0));
    const isNew = (name) => (now.get(name) || 0) > (old.get(name) || 0);
    const lost = gone.map(([name, number]) => chip(`${counted(name, number - (now.get(name) || 0))}`, name, "gone"));
    const piled = Array.isArray(value);
    const items = piled ? piles(value, notes.length > 0) : [...now].sort((a, b) => order(a[0]) - order(b[0]));
    const chips = items.map(([name, number], i) => {
      const one = chip(counted(name, number), name, isNew(name) ? "new" : "");
      const note = piled && said(notes, i);
      if (note) one.append(note);
      return one;
    });
    const hidden = veiled(value, changed ? before : value);
    if (chips.length <= MANY) return make("div", { class: "chips" }, chips, hidden, lost);
    const total = items.reduce((sum, [, number]) => sum + number, 0);
    const fold = make("details", { class: "many", open: unfolded.has(path) }, make("summary", {}, `${total} in all`),
      make("div", { class: "chips" }, chips));
    fold.addEventListener("toggle", () => (fold.open ? unfolded.add(path) : unfolded.delete(path)));
    const fresh = items.filter(([name]) => isNew(name)).map(([name]) => chip(counted(name, now.get(name) - (old.get(name) || 0)), name, "new"));
    return make("div", { class: "chips" }, fold, fresh.slice(0, MANY), hidden, lost.slice(0, MANY));
  }

  function cell(view, spot, track, label) {
    const [path, ...noted] = spot;
    const value = view.state[path];
    const before = view.before[path];
    const unknown = value === undefined;
    const changed = view.changed.has(path) || noted.some((note) => view.changed.has(note));
    const empty = unknown || (isEmpty(value) && !changed);
    const holds = track[1];
    const kind = holds ? "place" : typeof value === "string" ? "word" : "number";
    const td = make("td", { class: [kind, empty ? "empty" : "", changed ? "changed" : ""].filter(Boolean).join(" "), "data-label": label });
    if (unknown) td.append(make("span", { title: "not seen from here" }, "?"));
    else if (holds && !empty) td.append(place(path, value, before, changed, noted.map((note) => view.state[note])));
    else if (holds) td.append("–");
    else {
      const shown = make("span", {}, changed && value === false ? "no" : single(value));
      if (changed && typeof value === "number" && typeof before === "number") {
        const delta = value - before;
        shown.append(make("span", { class: "delta" }, delta > 0 ? `+${delta}` : signed(delta)));
      }
      td.append(shown);
    }
    return td;
  }

  // ---------------------------------------------------------------- the board

  const narrow = matchMedia("(max-width: 40rem)");
  const FEW = 3;

  /* Many places of players stand below each other, the players side by side: so they have room. */
  function parts(view, one) {
    const seen = one.columns.map((_, i) => i).filter((i) => one.spots.some((row) => used(view, row[i])));
    let places = seen.filter((i) => one.columns[i][1]);
    if (one.role !== "players" || narrow.matches || places.length <= FEW) return [one];
    let numbers = seen.filter((i) => !one.columns[i][1]);
    if (numbers.length < FEW) [numbers, places] = [[], [...numbers, ...places]];
    const rows = { ...one, columns: numbers.map((i) => one.columns[i]), spots: one.spots.map((row) => numbers.map((i) => row[i])) };
    const columns = { role: "places", title: numbers.length ? "Places of the players" : one.title, rows: places.map((i) => one.columns[i]),
      columns: one.rows.map(([title]) => [title, null]), spots: places.map((i) => one.spots.map((row) => row[i])) };
    return numbers.length ? [rows, columns] : [columns];
  }

  const used = (view, spot) => spot.some((path) => view.used.has(path));

  /* A grid is drawn whole, cell beside cell, with the names of its columns below. */
  function grid(view, one, index) {
    const id = `block-${index}`;
    const square = (spot, track, column) => {
      const td = cell(view, spot, track, `${column}${track[0]}`);
      const seat = order(view.state[spot[0]]); // the names of the players come first
      if (seat < game.seats.length) td.style.setProperty("--hue", 210 + 150 * seat);
      td.classList.toggle("seat", seat < game.seats.length);
      return td;
    };
    const body = one.rows.map((track, i) => make("tr", {}, make("th", { scope: "row" }, track[0]),
      one.spots[i].map((spot, j) => square(spot, track, one.columns[j][0]))));
    const foot = make("tr", {}, make("td", {}), one.columns.map(([title]) => make("th", { scope: "col" }, title)));
    const table = make("table", { class: "grid", "aria-labelledby": id }, make("tbody", {}, body), make("tfoot", {}, foot));
    return make("section", { class: "block grid" }, make("h2", { id }, one.title), make("div", { class: "scroll" }, table));
  }

  function block(view, one, index) {
    if (one.role === "grid") return grid(view, one, index);
    const players = one.role === "places" || one.role === "matrix";
    const columns = one.columns.map((track, i) => [track, i]).filter(([, i]) => players || one.spots.some((row) => used(view, row[i])));
    const rows = one.rows.map((track, i) => [track, i]).filter(([, i]) => one.role === "players" || one.spots[i].some((spot) => used(view, spot)));
    if (!rows.length || (one.columns.length && !columns.length)) return null;
    const id = `block-${index}`;
    const table = make("table", { class: one.role, "aria-labelledby": id });
    if (one.columns.length) {
      const kind = ([track, i]) => (track[1] !== 0 || one.spots.some((row) => typeof view.state[row[i][0]] === "string") ? "place" : "number");
      table.append(make("thead", {}, make("tr", {}, make("td", {}), columns.map((pair) =>
        make("th", { scope: "col", class: kind(pair) + (players && pair[1] === view.player ? " acts" : "") }, pair[0][0])))));
    }
    const body = make("tbody", {});
    for (const [track, i] of rows) {
      const spots = one.spots[i];
      const acts = one.role === "players" && i === view.player;
      const cells = one.columns.length
        ? columns.map(([column, j]) => cell(view, spots[j], column[1] === null ? track : column, column[0]))
        : [cell(view, spots[0], track, track[0])];
      body.append(make("tr", { class: acts ? "acts" : undefined }, make("th", { scope: "row" }, track[0]), cells));
    }
    table.append(body);
    return make("section", { class: `block ${one.role}` }, make("h2", { id }, one.title), make("div", { class: "scroll" }, table));
  }

  const number = (value, label) =>
    make("td", { class: "number", "data-label": label }, make("span", {}, typeof value === "number" ? signed(value) : value));

  function ending(result) {
    const titles = ["rank", ...result.columns.flatMap(([title, parts]) => [...parts, title])];
    const sums = new Set(result.columns.filter(([, parts]) => parts.length).map(([title]) => title));
    const rows = result.rows.map(([rank, seat, scores]) => [game.seats[seat], [rank, ...scores.flatMap(([value, parts]) => [...parts, value])]]);
    const pad = titles.length > WIDE;
    const [across, down] = pad ? [rows.map(([name]) => name), titles] : [titles, rows.map(([name]) => name)];
    const table = make("table", { class: pad ? "places pad" : "players result", "aria-labelledby": "result" },
      make("thead", {}, make("tr", {}, make("td", {}), across.map((title) => make("th", { scope: "col", class: "number" }, title)))),
      make("tbody", {}, down.map((title, i) => make("tr", { class: pad && sums.has(title) ? "sum" : undefined }, make("th", { scope: "row" }, title),
        pad ? rows.map(([name, numbers]) => number(numbers[i], name)) : rows[i][1].map((value, j) => number(value, titles[j]))))));
    return make("section", { class: `block ${pad ? "places" : "players"}` }, make("h2", { id: "result" }, "Result"), make("div", { class: "scroll" }, table));
  }

  // ---------------------------------------------------------------- the step

  const cites = (list) => list.flatMap(([name], i) => [i ? ", " : "", make("span", { class: "cite" }, name)]);

  function ruled([parts, list]) {
    if (!parts.length && !list.length) return null;
    const name = [make("b", {}, parts.join(" / ")), list.length ? " · " : "", ...cites(list)];
    const texts = list.filter(([, text]) => text);
    if (!texts.length) return make("div", { class: "rule" }, name);
    const fold = make("details", { class: "rule", open: unfolded.has("rule") }, make("summary", {}, name),
      make("dl", {}, texts.map(([title, text]) => [make("dt", {}, title), make("dd", {}, text)])));
    fold.addEventListener("toggle", () => (fold.open ? unfolded.add("rule") : unfolded.delete("rule")));
    return fold;
  }

  function sentence(player, text) {
    if (player === null) return make("p", { class: "sentence" }, text || "The game is set up");
    const name = game.seats[player];
    const rest = text.startsWith(`${name} `) ? text.slice(name.length + 1) : text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text;
    return make("p", { class: "sentence" }, make("span", { class: "who" }, name), " ", rest);
  }

  function told(list) {
    if (!list.length) return null;
    return make("div", { class: "told" }, list.map((number) => {
      const one = pool[number];
      if (Array.isArray(one)) return make("p", {}, one.flatMap((part) => [make("span", {}, part), " "]));
      return make("h2", {}, one.title, one.cites.length ? make("span", { class: "cite" }, cites(one.cites)) : null);
    }));
  }

  const sections = (step) => pool[step[4]].map((number) => pool[number]);

  const stirred = (chip) => chip.classList.contains("new") || chip.classList.contains("gone");

  /* What has changed, in words: on the board it may stand where nobody looks. */
  function news(view) {
    const items = [];
    for (const one of game.board) {
      one.spots.forEach((row, i) => row.forEach((spot, j) => {
        if (!spot.some((path) => view.changed.has(path)) || !used(view, spot)) return;
        const [owner, name] = [one.rows[i][0], one.columns[j]?.[0]];
        const label = one.role === "grid" ? `${name}${owner}` : one.role === "matrix" ? `${name} ${one.title.toLowerCase()} ${owner}` : name ? `${owner} ${name}` : owner;
        const content = cell(view, spot, one.columns[j] || one.rows[i], label);
        const all = [...content.querySelectorAll(".chip")];
        if (all.some(stirred)) all.filter((one) => !stirred(one)).forEach((one) => one.remove());
        content.querySelector("details")?.remove();
        items.push(make("li", {}, make("span", {}, label), make("span", {}, [...content.childNodes])));
      }));
    }
    if (!items.length) return null;
    const more = items.length - NEWS;
    return make("ul", { class: "news", "aria-label": "Changed" }, items.slice(0, NEWS), more > 0 ? make("li", {}, make("span", {}, `and ${more} more`)) : null);
  }

  function earlier(one) {
    const first = Math.max(0, here - 8);
    if (first === here) return null;
    return make("ol", { class: "earlier", "aria-label": "Before" }, one.steps.slice(first, here).map((step, i) => {
      const button = make("button", { type: "button", tabindex: -1 }, ...sentence(step[0], pool[step[1]]).childNodes);
      button.addEventListener("click", () => go(first + i));
      return make("li", {}, button);
    }));
  }

  // ---------------------------------------------------------------- showing it

  function show(moved) {
    const one = game.tabs[tab];
    const step = one.steps[here];
    const before = stateAt(one, here - 1);
    const state = applied(before.slice(), step[6]);
    const changed = new Set(here ? step[6].map((number) => pool[number][0]) : []);
    const view = { state, before, changed, used: one.used, player: step[0] };
    const last = here === one.steps.length - 1;
    at("step").replaceChildren(...[
      make("p", { class: "crumbs" }, sections(step).join(" › ")),
      sentence(step[0], pool[step[1]]),
      pool[step[2]] ? make("p", { class: "question" }, pool[step[2]]) : null,
      ruled(pool[step[3]]),
      news(view),
      told(step[5]),
      last && one.ending ? make("div", { class: "verdict" }, one.ending.verdict.map((line) => make("p", {}, line))) : null,
      earlier(one),
    ].filter(Boolean));
    if (moved) at("step").scrollTop = 0;
    const blocks = game.board.flatMap((one) => parts(view, one)).map((part, index) => block(view, part, index)).filter(Boolean);
    if (last && one.ending) blocks.unshift(ending(one.ending));
    at("board").replaceChildren(...blocks);
    at("count").textContent = `${here} / ${one.steps.length - 1}`;
    at("slider").value = here;
    at("chapters").value = String(one.chapters.reduce((found, number) => (number <= here ? number : found), 0));
    at("first").disabled = at("back").disabled = here === 0;
    at("next").disabled = at("last").disabled = last;
    if (moved) history.replaceState(null, "", `#${tab}/${here}`);
  }

  function go(number) {
    const one = game.tabs[tab];
    const wanted = Math.max(0, Math.min(one.steps.length - 1, number));
    if (wanted === here) return;
    here = wanted;
    decision = one.steps[here][7] ?? here;
    show(true);
  }

  function open(number) {
    tab = number;
    const one = game.tabs[tab];
    let found = 0;
    one.steps.forEach((step, i) => {
      if ((step[7] ?? i) <= decision) found = i;
    });
    here = found;
    at("slider").max = one.steps.length - 1;
    one.chapters = one.steps.map((_, i) => i).filter((i) => !i || one.steps[i][4] !== one.steps[i - 1][4]);
    at("chapters").replaceChildren(...one.chapters.map((i) =>
      make("option", { value: i }, sections(one.steps[i]).join(" › ") || (i ? "…" : "The beginning"))));
    [...at("tabs").children].forEach((button, i) => button.setAttribute("aria-selected", String(i === tab)));
    at("view").setAttribute("aria-labelledby", `tab-${tab}`);
    show(true);
  }

  // ---------------------------------------------------------------- hands

  const chapter = (way) => {
    const { chapters } = game.tabs[tab];
    const found = way > 0 ? chapters.find((i) => i > here) : chapters.findLast((i) => i < here);
    go(found ?? (way > 0 ? Infinity : 0));
  };

  function key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === at("chapters")) return;
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const number = Number.parseInt(event.key, 10);
    if (way) {
      if (event.shiftKey) chapter(way);
      else go(here + way);
    } else if (event.key === "Home") go(0);
    else if (event.key === "End") go(Infinity);
    else if (number >= 0 && number < game.tabs.length) open(number);
    else return;
    event.preventDefault();
  }

  function swipes() {
    let start = null;
    const scrolls = (target) => {
      const box = target.closest?.(".scroll");
      return box && box.scrollWidth > box.clientWidth;
    };
    at("view").addEventListener("touchstart", (event) => {
      const touch = event.touches[0];
      start = event.touches.length > 1 || scrolls(event.target) ? null : [touch.clientX, touch.clientY];
    }, { passive: true });
    at("view").addEventListener("touchend", (event) => {
      if (!start) return;
      const touch = event.changedTouches[0];
      const [x, y] = [touch.clientX - start[0], touch.clientY - start[1]];
      start = null;
      if (Math.abs(x) > 48 && Math.abs(x) > 2 * Math.abs(y)) go(here + (x < 0 ? 1 : -1));
    }, { passive: true });
  }

  game.tabs.forEach((one, i) => {
    const name = one.seat === null ? "Referee" : game.seats[one.seat];
    const title = `${one.seat === null ? "All is seen" : `What ${name} sees`} (${i})`;
    const button = make("button", { type: "button", role: "tab", id: `tab-${i}`, title, "aria-controls": "view", "aria-keyshortcuts": i }, name);
    button.addEventListener("click", () => open(i));
    at("tabs").append(button);
  });
  const looks = game.tabs.length > 1 ? "" : game.tabs[0].seat === null ? "" : `as ${game.seats[game.tabs[0].seat]} saw it`;
  at("about").textContent = [`${game.seats.length} players`, ...game.options, looks].filter(Boolean).join(" · ");
  at("first").addEventListener("click", () => go(0));
  at("back").addEventListener("click", () => go(here - 1));
  at("next").addEventListener("click", () => go(here + 1));
  at("last").addEventListener("click", () => go(Infinity));
  at("slider").addEventListener("input", () => go(Number(at("slider").value)));
  at("chapters").addEventListener("change", () => go(Number(at("chapters").value)));
  document.addEventListener("keydown", key);
  swipes();
  narrow.addEventListener("change", () => show(false));
  at("controls").hidden = false;
  const [wantedTab, wantedStep] = location.hash.slice(1).split("/").map((part) => Number.parseInt(part, 10));
  open(wantedTab > 0 && wantedTab < game.tabs.length ? wantedTab : 0);
  if (wantedStep > 0) go(wantedStep);
})();

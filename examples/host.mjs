// Steps a game by its WebAssembly module, in a browser or in Node: what docs/engines-wasm.md tells
// of the module, as a class. `about` is what `engine.describe()` gives, as JSON.

const FIRST_FAULT = 16;

export class Game {
  static async load(binary, about) {
    const { instance } = await WebAssembly.instantiate(binary);
    return new Game(instance.exports, about);
  }

  constructor(module, about) {
    this.module = module;
    this.about = about;
    this.record = about.free;
    this.room = about.free + about.record;
    const missing = this.room + (1 << 20) - module.memory.buffer.byteLength;
    if (missing > 0) module.memory.grow(Math.ceil(missing / 65536));
  }

  numbers(address, count) {
    return new Int32Array(this.module.memory.buffer, address, count);
  }

  // What lies in the cells of a piece of state, to read and to write.
  cells(name) {
    const { address, bytes, width, copies } = this.about.cells.find((piece) => piece.name === name);
    const Numbers = bytes === 2 ? Int16Array : Int32Array;
    return new Numbers(this.module.memory.buffer, this.record + address, width * copies);
  }

  call(name, ...rest) {
    const found = this.module[name](this.record, ...rest);
    if (found > -FIRST_FAULT) return found;
    const fault = this.about.faults[(-found % (1 << 20)) - FIRST_FAULT];
    throw new Error(`${fault.kind} at ${fault.place}`);
  }

  // A new game. Returns the kind of the stop at which it rests, as `apply` and `draw` do.
  start() {
    return this.about.stops[this.call("start")].kind;
  }

  // The seats that are asked.
  toAct() {
    return this.about.seats.map((_, seat) => seat).filter((seat) => this.call("asked", seat) >= 0);
  }

  // The legal moves of a seat: each an option with its arguments, and how to make it.
  moves(seat) {
    const stop = this.about.stops[this.call("asked", seat)];
    const end = this.call("moves", seat, this.room);
    const found = [];
    for (let bundle = this.room; bundle < end; bundle += this.about.bundle) {
      const [number, low, high] = this.numbers(bundle, 3);
      const option = stop.options[number];
      const before = [...this.numbers(bundle + 12, Math.max(option.parameters - 1, 0))];
      for (let last = low; last <= high; last++) {
        found.push({ option: option.name, given: option.parameters ? [...before, last] : [], bundle, number: last - low });
      }
    }
    return found;
  }

  // One of the moves that `moves` has listed last.
  apply(seat, move) {
    return this.about.stops[this.call("apply", seat, move.bundle, move.number)].kind;
  }

  // The weights of what chance may bring; null if chance is not next.
  weights() {
    const draw = this.call("chance");
    if (draw < 0) return null;
    this.call("weights", this.room);
    return [...this.numbers(this.room, this.about.stops[draw].outcomes)];
  }

  draw(outcome) {
    return this.about.stops[this.call("draw", outcome)].kind;
  }

  // What a seat sees: for each path what its fields tell. What it does not see is left out.
  view(seat) {
    const { numbers, unseen, fields } = this.about.view;
    this.call("view", seat, this.room);
    const all = this.numbers(this.room, numbers);
    const seen = {};
    for (const { path, tells, first, count, names, none } of fields) {
      const told = [...all.subarray(first, first + count)].filter((number) => number !== unseen);
      if (!told.length) continue;
      const named = names && tells !== "counts";
      const said = told.map((n) => (n === none ? null : named ? names[n] : n));
      seen[path] = { ...seen[path], [tells]: count === 1 ? said[0] : said };
    }
    return seen;
  }
}

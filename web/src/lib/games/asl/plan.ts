/** Vehicles and Guns seen from above, each from its row of the counter sheets: no vehicle is drawn by hand. */

export type Row = Readonly<Record<string, string>>;

const INK = "var(--counter-ink)";
const BODY = "var(--vb)";
const LIT = "var(--vl)";
const DARK = "var(--vd)";
/** Bores of a barrel: short, plain, long, very long. */
const BORES: Readonly<Record<string, number>> = { "*": 22, "": 40, L: 55, LL: 66 };
const SMALL = new Set(["MG", "12.7", "15", "ATR", "FT"]);

const f = (n: number): string => n.toFixed(1);
const num = (text: string | undefined, or = 0): number => {
  const n = Number(text);
  return text !== undefined && text !== "" && Number.isFinite(n) ? n : or;
};

/** Length and width of a barrel in metres. */
export function barrel(caliber: string, length: string): [number, number] {
  const c = num(caliber, 10);
  return [Math.max(0.7, (c * (BORES[length] ?? 40)) / 1000), Math.max(0.13, c / 420 + 0.06)];
}

/** Length and width of a hull in metres, by weight and way of moving. */
export function hull(row: Row): [number, number] {
  const q = Math.sqrt(num(row["weight_t"], 4));
  switch (row["move"]) {
    case "tracked":
      return [2.6 + 0.6 * q, 1.5 + 0.3 * q];
    case "armoured_car":
      return [3.2 + 0.75 * q, 1.4 + 0.28 * q];
    case "halftrack":
      return [3.3 + 0.85 * q, 1.35 + 0.27 * q];
    case "motorcycle":
      return [2.1, 0.8];
    default:
      return [2.6 + 1.4 * q, 1.3 + 0.34 * q];
  }
}

class Drawing {
  parts: string[] = [];
  readonly px: number;
  readonly line: number;

  constructor(px: number) {
    this.px = px;
    this.line = Math.max(0.5, px * 0.16);
  }

  path(d: string, fill = BODY, width = this.line): void {
    this.parts.push(
      `<path d="${d}" fill="${fill}" stroke="${INK}" stroke-width="${width.toFixed(2)}" stroke-linejoin="round"/>`,
    );
  }

  stroke(d: string, width: number, colour = INK, opacity = 1): void {
    this.parts.push(
      `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width.toFixed(2)}" opacity="${opacity}"/>`,
    );
  }

  rect(x: number, y: number, w: number, h: number, fill = BODY, r = 0, width = this.line): void {
    this.parts.push(
      `<rect x="${f(x)}" y="${f(y)}" width="${f(w)}" height="${f(h)}" rx="${f(r)}" fill="${fill}" stroke="${INK}" stroke-width="${width.toFixed(2)}"/>`,
    );
  }

  circle(x: number, r: number, fill: string, width = this.line, y = 0): void {
    this.parts.push(
      `<circle cx="${f(x)}" cy="${f(y)}" r="${f(r)}" fill="${fill}" stroke="${INK}" stroke-width="${width.toFixed(2)}"/>`,
    );
  }

  wheel(x: number, y: number, wide = 0.34, long = 0.95): void {
    const { px } = this;
    this.rect((x - long / 2) * px, (y - wide / 2) * px, long * px, wide * px, INK, 0.12 * px, 0.2);
  }

  track(x: number, y: number, long: number, wide: number): void {
    this.rect(x, y, long, wide, INK, wide * 0.45);
    const gap = 0.3 * this.px;
    let d = "";
    for (let at = x + gap; at < x + long - gap / 2; at += gap) d += `M${f(at)} ${f(y + 0.3)}V${f(y + wide - 0.3)}`;
    this.stroke(d, this.line * 0.8, LIT, 0.75);
  }

  gun(x: number, caliber: string, length: string, most: number, y = 0): void {
    const { px } = this;
    const [bl, bw] = barrel(caliber, length);
    const long = Math.min(bl, most);
    const plain = (a: number, b: number, w: number, h: number): void => {
      this.parts.push(`<rect x="${f(a)}" y="${f(b)}" width="${f(w)}" height="${f(h)}" fill="${INK}" rx=".4"/>`);
    };
    plain(x, y - (bw * px) / 2, long * px, bw * px);
    if ((length === "L" || length === "LL") && num(caliber) >= 75)
      plain(x + (long - 0.3) * px, y - bw * px * 0.9, 0.34 * px, bw * px * 1.8);
    plain(x - 0.1 * px, y - bw * px * 0.95, Math.min(0.55, long * 0.4) * px, bw * px * 1.9);
  }

  take(): string {
    const found = this.parts.join("");
    this.parts = [];
    return found;
  }
}

/** A vehicle from above, nose to the right at 0 degrees; the turret has an angle of its own if `tca` is given. */
export function vehicle(row: Row, vca: number, tca: number | null, px: number): string {
  const [L, W] = hull(row);
  const l = L * px;
  const w = W * px;
  const o = new Drawing(px);
  const nation = row["nation"] ?? "";
  const move = row["move"] ?? "truck";
  const top = row["top"] ?? "UN";
  const turret = row["turret"] ?? "none";
  const ma = row["ma_caliber"] ?? "";
  const length = row["ma_length"] ?? "";
  const kind = row["class"] ?? "";
  const name = row["name"] ?? "";
  const weight = num(row["weight_t"], 4);
  const small = SMALL.has(ma);
  const most = L * 0.78;
  const tw = (move === "tracked" ? 0.17 : 0.2) * w;
  if (move === "motorcycle") {
    o.rect(-l / 2, -0.12 * px, l, 0.24 * px, INK, 0.1 * px);
    o.wheel(0.7, 0, 0.2, 0.7);
    o.wheel(-0.7, 0, 0.2, 0.7);
    o.rect(-0.3 * px, -0.3 * px, 0.7 * px, 0.6 * px, BODY, 0.2 * px);
  } else if (move === "tracked") {
    for (const s of [-1, 1]) o.track(-l / 2, s < 0 ? -w / 2 : w / 2 - tw, l, tw);
    const hw = w - 2 * tw + 0.1 * px;
    const ours = ["british", "anzac", "indian", "free_french"].includes(nation) && !name.includes("(a)");
    const nose = nation === "german" ? 0.07 : ours ? 0.12 : 0.1;
    o.path(
      `M${f(-l * 0.49)} ${f(-hw / 2)}H${f(l * (0.5 - nose))}L${f(l * 0.5)} ${f(-hw * 0.36)}V${f(hw * 0.36)}L${f(l * (0.5 - nose))} ${f(hw / 2)}H${f(-l * 0.49)}Z`,
    );
    if (top === "CT") {
      const grille = [-0.3, 0, 0.3].map((y) => `M${f(-l * 0.4)} ${f(hw * y)}H${f(-l * 0.18)}`).join("");
      o.stroke(grille, o.line * 0.8, INK, 0.55);
    }
    if (weight > 9 || top === "CT")
      for (const s of [-1, 1])
        o.stroke(`M${f(-l * 0.34)} ${f(s * (w * 0.5 - tw * 0.3))}H${f(l * 0.28)}`, tw * 0.28, BODY, 0.9);
  } else if (move === "armoured_car") {
    const eight = weight >= 8 && nation === "german";
    for (const x of eight ? [-0.36, -0.13, 0.13, 0.36] : [-0.3, 0.3])
      for (const s of [-1, 1]) o.wheel(x * L, s * (W / 2 - 0.12), 0.36, eight ? 0.9 : 1);
    const hw = w * 0.84;
    o.path(
      `M${f(-l / 2)} ${f(-hw * 0.3)}L${f(-l * 0.36)} ${f(-hw / 2)}H${f(l * 0.14)}L${f(l * 0.5)} ${f(-hw * 0.24)}V${f(hw * 0.24)}L${f(l * 0.14)} ${f(hw / 2)}H${f(-l * 0.36)}L${f(-l / 2)} ${f(hw * 0.3)}Z`,
    );
    o.stroke(
      `M${f(l * 0.14)} ${f(-hw / 2)}L${f(l * 0.2)} 0L${f(l * 0.14)} ${f(hw / 2)}M${f(l * 0.2)} 0H${f(l * 0.5)}`,
      o.line * 0.8,
      INK,
      0.6,
    );
  } else if (move === "halftrack") {
    for (const s of [-1, 1]) {
      o.track(-l * 0.49, s < 0 ? -w / 2 : w / 2 - tw, l * 0.6, tw);
      o.wheel(0.33 * L, s * (W / 2 - 0.14), 0.34, 0.95);
    }
    const hw = w * 0.82;
    o.path(
      `M${f(-l / 2)} ${f(-hw * 0.46)}L${f(-l * 0.46)} ${f(-hw / 2)}H${f(l * 0.12)}L${f(l * 0.24)} ${f(-hw * 0.33)}L${f(l / 2)} ${f(-hw * 0.26)}V${f(hw * 0.26)}L${f(l * 0.24)} ${f(hw * 0.33)}L${f(l * 0.12)} ${f(hw / 2)}H${f(-l * 0.46)}L${f(-l / 2)} ${f(hw * 0.46)}Z`,
    );
    o.stroke(`M${f(l * 0.24)} 0H${f(l * 0.5)}M${f(l * 0.12)} ${f(-hw / 2)}V${f(hw / 2)}`, o.line * 0.8, INK, 0.6);
  } else {
    for (const s of [-1, 1]) {
      o.wheel(-0.3 * L, s * (W / 2 - 0.06), 0.36, 0.95);
      o.wheel(0.32 * L, s * (W / 2 - 0.06), 0.28, 0.95);
      if (weight > 6) o.wheel(-0.12 * L, s * (W / 2 - 0.06), 0.36, 0.95);
    }
    const hw = w * 0.84;
    o.path(
      `M${f(l * 0.16)} ${f(-hw * 0.36)}H${f(l * 0.44)}L${f(l / 2)} ${f(-hw * 0.26)}V${f(hw * 0.26)}L${f(l * 0.44)} ${f(hw * 0.36)}H${f(l * 0.16)}Z`,
    );
    o.rect(l * 0.02, -hw / 2, l * 0.2, hw, LIT, 0.2 * px);
    o.stroke(`M${f(l * 0.19)} ${f(-hw * 0.4)}V${f(hw * 0.4)}`, o.line * 1.5, INK, 0.7);
    o.rect(-l / 2, -hw / 2, l * 0.52, hw, turret === "none" ? BODY : DARK, 0.1 * px);
    if (turret === "none" && !kind.includes("car")) {
      const ribs = [1, 2, 3, 4].map((i) => `M${f(-l / 2 + i * l * 0.105)} ${f(-hw / 2)}V${f(hw / 2)}`).join("");
      o.stroke(`${ribs}M${f(-l / 2)} 0H${f(l * 0.02)}`, o.line * 0.8, INK, 0.5);
    }
  }
  if (top === "OT" && (turret === "none" || turret === "NT")) {
    const carrier = move === "tracked" && kind === "carrier";
    const [x0, x1] = carrier ? [-0.42, 0.3] : move === "armoured_car" ? [-0.34, 0.12] : [-0.44, 0.08];
    const hw = w * (move === "tracked" ? 0.56 : 0.6);
    o.rect(l * x0, -hw / 2, l * (x1 - x0), hw, DARK, 0.15 * px);
    if (turret === "none") {
      const benches = [-0.28, 0.28].map((y) => `M${f(l * (x0 + 0.05))} ${f(hw * y)}H${f(l * (x1 - 0.06))}`).join("");
      o.stroke(benches, 0.3 * px, BODY);
      if (small) o.gun(l * x1 - 0.1 * px, ma, "", most, kind === "carrier" ? -w * 0.16 : 0);
    }
  }
  if (turret === "NT" && ma) {
    const gx = l * (top === "CT" ? 0.14 : 0);
    if (top === "CT")
      o.path(
        `M${f(-l * 0.3)} ${f(-w * 0.33)}H${f(l * 0.1)}L${f(l * 0.2)} ${f(-w * 0.22)}V${f(w * 0.22)}L${f(l * 0.1)} ${f(w * 0.33)}H${f(-l * 0.3)}Z`,
        LIT,
      );
    else
      o.path(
        `M${f(gx - 0.1 * px)} ${f(-w * 0.34)}L${f(gx + 0.35 * px)} ${f(-w * 0.16)}V${f(w * 0.16)}L${f(gx - 0.1 * px)} ${f(w * 0.34)}L${f(gx - 0.45 * px)} ${f(w * 0.34)}L${f(gx - 0.1 * px)} 0L${f(gx - 0.45 * px)} ${f(-w * 0.34)}Z`,
        LIT,
      );
    if (kind.includes("mortar") || name.includes("MTR")) {
      o.circle(-l * 0.18, 0.42 * px, INK, 0);
      o.stroke(`M${f(-l * 0.18)} 0H${f(-l * 0.18 + 1.1 * px)}`, 0.28 * px);
    } else o.gun(gx, small ? "MG" : ma, small ? "" : length, most);
  }
  if ((row["sa"] ?? "").includes("NT")) o.gun(l * 0.26, (row["sa"] ?? "").split(" ")[0] ?? "", "", most, w * 0.2);
  const body = o.take();
  if (["T", "ST", "1MT"].includes(turret) && ma) roundel(o, row, w, most);
  const above = o.take();
  const back: Readonly<Record<string, number>> = { tracked: 0.04, armoured_car: -0.02, halftrack: -0.2, truck: -0.24 };
  const tx = (move === "tracked" && nation === "italian" ? 0.08 : (back[move] ?? 0)) * l;
  const turn = (tca ?? vca) - vca + (row["rear_arc"] === "1" ? 180 : 0);
  return `<g transform="rotate(${vca})">${body}<g transform="translate(${f(tx)} 0) rotate(${turn})">${above}</g></g>`;
}

/** A turret, by the way each nation builds them. */
function roundel(o: Drawing, row: Row, w: number, most: number): void {
  const nation = row["nation"] ?? "";
  const move = row["move"] ?? "";
  const top = row["top"] ?? "";
  const turret = row["turret"] ?? "";
  const ma = row["ma_caliber"] ?? "";
  const american = nation === "american" || (row["name"] ?? "").includes("(a)");
  let D = w * (turret === "1MT" ? 0.44 : 0.56) * (nation === "german" && turret === "T" ? 1.06 : 1);
  if (["armoured_car", "truck", "halftrack"].includes(move)) D = w * (turret === "T" ? 0.58 : 0.5);
  const small = SMALL.has(ma);
  o.gun(D * 0.42, small ? (ma === "MG" ? "MG" : "20") : ma, small ? "" : (row["ma_length"] ?? ""), most);
  if (move === "truck" || (move === "halftrack" && top === "UN")) {
    o.path(
      `M${f(D * 0.2)} ${f(-D * 0.62)}L${f(D * 0.44)} ${f(-D * 0.2)}V${f(D * 0.2)}L${f(D * 0.2)} ${f(D * 0.62)}`,
      "none",
      o.line * 1.7,
    );
    o.circle(0, D * 0.3, LIT);
  } else if (nation === "german") {
    o.path(
      `M${f(D * 0.5)} ${f(-D * 0.28)}L${f(D * 0.22)} ${f(-D * 0.5)}H${f(-D * 0.3)}L${f(-D * 0.52)} ${f(-D * 0.3)}V${f(D * 0.3)}L${f(-D * 0.3)} ${f(D * 0.5)}H${f(D * 0.22)}L${f(D * 0.5)} ${f(D * 0.28)}Z`,
      LIT,
    );
    if (num(row["weight_t"]) >= 20 && turret === "T") o.rect(-D * 0.84, -D * 0.36, D * 0.3, D * 0.72, BODY, 0.3);
  } else if (american) {
    o.parts.push(
      `<ellipse rx="${f(D * 0.56)}" ry="${f(D * 0.5)}" fill="${LIT}" stroke="${INK}" stroke-width="${o.line.toFixed(2)}"/>`,
    );
  } else if (nation === "italian") {
    o.path(
      `M${f(D * 0.5)} ${f(-D * 0.3)}C${f(D * 0.2)} ${f(-D * 0.6)} ${f(-D * 0.5)} ${f(-D * 0.55)} ${f(-D * 0.55)} 0C${f(-D * 0.5)} ${f(D * 0.55)} ${f(D * 0.2)} ${f(D * 0.6)} ${f(D * 0.5)} ${f(D * 0.3)}Z`,
      LIT,
    );
  } else if (nation.includes("french")) {
    o.circle(0, D * 0.5, LIT);
  } else {
    o.path(
      `M${f(D * 0.52)} ${f(-D * 0.24)}L${f(D * 0.1)} ${f(-D * 0.54)}L${f(-D * 0.4)} ${f(-D * 0.46)}L${f(-D * 0.6)} ${f(-D * 0.2)}V${f(D * 0.2)}L${f(-D * 0.4)} ${f(D * 0.46)}L${f(D * 0.1)} ${f(D * 0.54)}L${f(D * 0.52)} ${f(D * 0.24)}Z`,
      LIT,
    );
  }
  if (top === "CT") o.circle(-D * 0.12, D * 0.17, BODY, o.line * 0.9, nation === "german" ? 0 : -D * 0.12);
  else if (top === "OT") o.circle(-D * 0.05, D * 0.3, DARK, o.line * 0.8);
}

/** A Gun from above, muzzle to the right at 0 degrees. */
export function gunPlan(row: Row, ca: number, px: number): string {
  const caliber = num(row["caliber"], 40);
  const kind = row["kind"] ?? "";
  const length = row["length"] ?? "";
  const [long, wide] = barrel(row["caliber"] ?? "", length);
  const big = caliber / 100;
  const half = (0.75 + big * 0.55) * px;
  const bl = Math.min(long, 4.2) * px;
  const bw = Math.max(wide * 1.15, 0.2) * px;
  const o = new Drawing(px);
  if (kind === "MTR") {
    o.circle(0, (0.5 + big * 0.5) * px, BODY, 1.2);
    o.stroke(`M0 0H${f(1.5 * px)}`, 0.5 * px);
    o.stroke(`M${f(1.2 * px)} 0L${f(1.5 * px)} ${f(-0.9 * px)}M${f(1.2 * px)} 0L${f(1.5 * px)} ${f(0.9 * px)}`, 1.2);
    return `<g transform="rotate(${ca})">${o.take()}</g>`;
  }
  if (kind === "AA" || row["mount"] === "T") {
    const r = (1.3 + big * 1.1) * px;
    for (const a of kind === "AA" ? [45, 135, 225, 315] : [60, 180, 300]) {
      const [x, y] = [r * Math.cos((a * Math.PI) / 180), r * Math.sin((a * Math.PI) / 180)];
      o.stroke(`M0 0L${f(x)} ${f(y)}`, 0.34 * px);
      o.circle(x, 0.3 * px, INK, 0, y);
    }
    o.circle(0, 0.75 * px + big * px * 0.3, BODY, 1);
  } else {
    const tail = (1.9 + big) * px;
    o.stroke(
      `M0 0L${f(-tail)} ${f(-0.55 * half - 1.5)}M0 0L${f(-tail)} ${f(0.55 * half + 1.5)}M0 ${f(-half)}V${f(half)}`,
      0.3 * px,
    );
    for (const s of [-1, 1]) o.rect(-0.5 * px, s * half - 0.17 * px, px, 0.36 * px, INK, 1, 0);
  }
  o.rect(-0.6 * px, -bw, 1.1 * px, 2 * bw, INK, 1, 0);
  o.rect(0, -bw / 2, bl, bw, INK, 0.5, 0);
  if (caliber >= 50 && (length === "L" || length === "LL")) o.rect(bl - 0.35 * px, -bw, 0.4 * px, 2 * bw, INK, 0.5, 0);
  if (row["gunshield"] === "1")
    o.stroke(
      `M${f(0.15 * px)} ${f(-half * 0.95)}L${f(0.5 * px)} ${f(-half * 0.4)}V${f(half * 0.4)}L${f(0.15 * px)} ${f(half * 0.95)}`,
      0.3 * px,
    );
  const a = (ca * Math.PI) / 180;
  const shift = `translate(${f(-bl * 0.28 * Math.cos(a))} ${f(-bl * 0.28 * Math.sin(a))})`;
  return `<g transform="${shift} rotate(${ca})">${o.take()}</g>`;
}

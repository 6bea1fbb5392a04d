/** What happens in North Africa '41, in Japanese. */
import { list, modifier, text, unit, units, word } from "../../i18n/facts";
import type { Facts, Line, Names } from "../../i18n/game-words";

export const SIDES: Record<string, string> = { axis: "枢軸軍", allied: "連合軍" };
/** Boxes, ports and sectors by their ids. */
const PLACES: Record<string, string> = {
  italy: "イタリア",
  tripoli: "トリポリ",
  nile_delta: "ナイル・デルタ",
  benghazi: "ベンガジ",
  derna: "デルナ",
  tobruk: "トブルク",
  bardia: "バルディア",
  mersa_matruh: "メルサ・マトルー",
  alexandria: "アレクサンドリア",
  "off map": "マップ外",
};
export const ASSETS: Record<string, string> = {
  air_support_german: "ドイツ航空支援",
  air_support_italian: "イタリア航空支援",
  air_support_allied: "連合軍航空支援",
  strafing: "掃射",
  lrdg: "LRDG",
  air_transport: "空輸",
  comando_supremo: "コマンド・スプレモ",
  coastal_convoy: "2つ目の沿岸船団",
  bombing_raid: "爆撃",
  none: "航空支援なし",
};
export const RESOURCES: Record<string, string> = {
  fortification: "築城の開始",
  replace_truck: "トラックの補充",
  replace_hq: "軍団司令部の補充（消耗状態）",
  repair_port: "港の修理",
  air_support: "航空支援",
  strafing: "掃射（マーカー2個）",
  bombing_raid: "爆撃",
  comando_supremo: "コマンド・スプレモ",
  benghazi_convoy: "ベンガジへの船団",
  air_transport: "空輸",
  u_boats: "地中海のUボート（マルタを減らす）",
  coastal_convoy: "2つ目の沿岸船団",
  lrdg: "LRDG",
  malta_reinforcement: "マルタ増強（マルタを増やす）",
};
const SHOWS: Record<string, string> = { full: "完全戦力", reduced: "減少戦力", remnant: "残存部隊" };
const FIGHTS: Record<string, string> = { combat: "を攻撃", auto_ds: "を自動DSで圧倒", breakthrough: "へ突破戦闘" };
const ORDERS: Record<string, string> = { good_order: "秩序ある状態", disrupted: "混乱" };
const ANSWERS: Record<string, string> = { no: "失敗", "yes, minus 1 step": "成功、1ステップ損失", yes: "成功" };
const LEVELS: Record<string, string> = {
  victory: "勝利",
  draw: "引き分け",
  "automatic victory": "自動勝利",
  "sudden victory": "即時勝利",
};
const PHASES: Record<string, string> = {
  preparation: "準備フェイズ",
  initial: "初期フェイズ",
  movement: "移動フェイズ",
  combat: "戦闘フェイズ",
  recovery: "回復フェイズ",
  supply: "補給フェイズ",
  delay: "遅滞フェイズ",
  supply_attrition: "補給消耗フェイズ",
  victory_points: "勝利得点フェイズ",
};
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** "1941 March II" is 1941年3月後半; the year may be left out, and the impulse may follow. */
export function dates(english: string): string {
  const found = /^(?:(\d{4}) )?([A-Z][a-z]+) (I|II)(?: • Impulse (\d) of (\d))?$/.exec(english);
  const month = MONTHS.indexOf(found?.[2] ?? "") + 1;
  if (!found || !month) return english;
  const [, year, , half, impulse, of] = found;
  return `${year ? `${year}年` : ""}${month}月${half === "I" ? "前半" : "後半"}${impulse ? `・第${impulse}インパルス（全${of}）` : ""}`;
}

/** A hex, a box or a port by its id. */
export const place = (id: string, n: Names): string => PLACES[id] ?? n.hex(id);

const side = (w: Facts, key = "side"): string => word(SIDES, w, key);
const hex = (w: Facts, n: Names, key = "hex"): string => place(text(w, key), n);
const asset = (w: Facts): string => word(ASSETS, w, "asset");
const roll = (w: Facts, key = "die"): string => `出目は${text(w, key)}${modifier(w)}`;

function got(w: Facts): string {
  const points = Number(w["points"]);
  const all = [...(points ? [`資源${points}点`] : []), ...list(w, "assets").map((one) => ASSETS[one] ?? one)];
  return all.join("、") || "なし";
}

function supply(w: Facts, n: Names): string {
  const parts = [`完全補給${text(w, "full")}`];
  if (w["by_port"]) parts.push(`港湾補給${text(w, "by_port")}`);
  if (list(w, "units").length) parts.push(`補給切れ：${units(w, n)}`);
  if (list(w, "red").length) parts.push(`2度目${list(w, "red").length}`);
  return `${side(w)}の補給：${parts.join("、")}`;
}

function convoy(w: Facts, n: Names): string {
  const load = list(w, "units").map(n.unit);
  if (Number(w["count"])) load.push(`補給ポイント${text(w, "count")}`);
  return `${hex(w, n, "from")}から${hex(w, n, "to")}への船団：${load.join("、")}`;
}

function attrition(w: Facts): string {
  const sector = text(w, "sector");
  const where = sector === "none" ? "対象区域なし" : `${PLACES[sector] ?? sector}区域`;
  return `${side(w)}の補給消耗、出目は${text(w, "dice")}：${where}${w["bites"] ? "" : "、損失なし"}`;
}

export const EVENTS: Record<string, Line> = {
  turn: (w) => `第${text(w, "turn")}ターン：${dates(text(w, "date"))}`,
  player_turn: (w) => `${side(w)}プレイヤーターン、第${text(w, "impulse")}インパルス`,
  phase: (w) => word(PHASES, w, "phase"),
  sp_received: (w, n) => `${side(w)}は${hex(w, n)}で補給ポイント${text(w, "count")}を得る`,
  arrived: (w, n) => `${unit(w, n)}が${w["hex"] !== undefined ? `${hex(w, n)}に` : ""}到着`,
  replacement: (w, n) => `${unit(w, n)}が${hex(w, n)}に到着`,
  replacement_forfeited: (w) => `${side(w)}：補充プールにその種の補充が残っていない`,
  malta_roll: (w) => `マルタ：出目は${text(w, "die")}、${text(w, "needed")}が必要`,
  malta: (w) => `マルタの修正は${modifier(w, "modifier").trim() || "0"}`,
  surrender_advanced: (w, n) => `${unit(w, n)}の復帰が1ターン近づく`,
  removed: (w, n) => `${unit(w, n)}はゲームから外れる`,
  withdrawn: (w, n) => `${unit(w, n)}は引き揚げる`,
  released: (w, n) => `${unit(w, n)}を予備から解放`,
  upgraded: (w, n) => `${unit(w, n)}が到着し、${unit(w, n, "other")}が去る`,
  put_off: (w, n) => `${unit(w, n)}は待機`,
  restored: (w, n) => `${unit(w, n)}が1ステップ回復`,
  steps_forfeited: (w) => `浮いた${text(w, "steps")}ステップは失われる`,
  converted: (w, n) => `${units(w, n)}が${unit(w, n)}になる`,
  event: (w) => `${side(w)}のイベント、出目は${text(w, "dice")}：${got(w)}`,
  resource_points: (w) => `${side(w)}の資源は${text(w, "held")}点`,
  rp_lost: (w) => `${side(w)}は資源1点を失う`,
  rp_owed: (w) => `${side(w)}は次の資源1点を失う`,
  asset: (w) => `${side(w)}は${asset(w)}を得る`,
  asset_forfeited: (w) => `${side(w)}は${asset(w)}を失う`,
  asset_used: (w) => `${side(w)}は${asset(w)}を使う`,
  bought: (w) => `${side(w)}は資源${text(w, "cost")}点で購入：${word(RESOURCES, w, "resource")}`,
  returned: (w, n) => `${unit(w, n)}が${hex(w, n)}に復帰`,
  replaced: (w, n) => `${unit(w, n)}が補充を受ける`,
  transport_over: (w, n) => (list(w, "units").length ? `輸送を終えて使用可：${units(w, n)}` : "輸送終了"),
  moved: (w, n) => `${unit(w, n)}は${hex(w, n, "from")}から${hex(w, n, "to")}へ移動`,
  stack_moved: (w, n) => `${units(w, n)}は${hex(w, n, "from")}から${hex(w, n, "to")}へ移動`,
  loaded: (w, n) => `${unit(w, n, "truck")}が${unit(w, n)}を積む`,
  sp_loaded: (w, n) => `${unit(w, n, w["truck"] ? "truck" : "unit")}が${hex(w, n)}で補給ポイントを積む`,
  sp_unloaded: (w, n) => `${unit(w, n, "truck")}が${hex(w, n)}で補給ポイントを降ろす`,
  rommel: (w, n) => {
    if (Array.isArray(w["units"]) && w["units"].length) return `ロンメルが${units(w, n)}を率いる`;
    return w["unit"] ? `ロンメルが${unit(w, n)}を率いる` : "ロンメル：ダイスを振り直す";
  },
  railed: (w, n) => `${unit(w, n)}は${hex(w, n, "to")}へ鉄道移動`,
  sp_railed: (w, n) => `補給ポイントを${hex(w, n, "to")}へ鉄道で運ぶ`,
  transferred: (w, n) => `${unit(w, n)}は${hex(w, n, "to")}へ特別移送`,
  flown: (w, n) => `${unit(w, n)}は${hex(w, n, "to")}へ空輸`,
  convoy,
  anti_shipping: (w) =>
    `対船舶、${roll(w, "dice")}：` +
    (w["result"] ? `発見、各ステップと補給ポイントは${text(w, "result")}以下で沈む` : "発見されず"),
  sinking: (w, n) => `${w["sp"] ? "補給ポイント" : unit(w, n)}：${roll(w)}、${w["sunk"] ? "沈む" : "無事"}`,
  landed: (w, n) => `船団が${hex(w, n)}に着く`,
  demolition: (w, n) => `${hex(w, n)}の破壊：命中${text(w, "hits")}`,
  bombing: (w, n) => `${hex(w, n)}への爆撃：出目は${text(w, "die")}、${w["hit"] ? "命中" : "外れ"}`,
  port_damaged: (w, n) => `${hex(w, n)}の港湾能力は${text(w, "capacity")}に下がる`,
  port_repaired: (w, n) => `${hex(w, n)}の港湾能力は${text(w, "capacity")}に上がる`,
  fortification_begun: (w, n) => `${side(w)}は${hex(w, n)}で築城を始める`,
  fortification_roll: (w, n) => `${hex(w, n)}の築城：出目は${text(w, "die")}`,
  fortification_completed: (w, n) => `${hex(w, n)}の築城が完成`,
  fortification_removed: (w, n) => `${hex(w, n)}の築城を撤去`,
  ready: (w, n) => `${unit(w, n)}は使用可`,
  fled: (w, n) => `${unit(w, n)}は自ら総退却に入る`,
  sp_destroyed: (w, n) => `${hex(w, n)}で補給ポイント${text(w, "count")}が破壊される`,
  sp_captured: (w, n) => `${side(w)}が${hex(w, n)}で補給ポイントを捕獲`,
  truck_captured: (w, n) => `${hex(w, n)}で${unit(w, n)}を捕獲`,
  overstacked: (w, n) => `${hex(w, n)}はスタック超過：${unit(w, n)}を失う`,
  crowded: (w, n) => `${hex(w, n)}はスタック超過：${unit(w, n)}は防御に加わらない`,
  control: (w, n) => `${side(w)}が${hex(w, n)}を占領`,
  comando_supremo: () => "コマンド・スプレモ：独伊が共に攻撃する",
  attack_supply: (w, n) => `${hex(w, n, "from")}からの攻撃補給`,
  artillery: (w, n) => `${unit(w, n)}が${hex(w, n)}で支援砲撃`,
  air_support: (w, n) => `${hex(w, n)}に${asset(w)}`,
  combat: (w, n) =>
    `${side(w)}が${units(w, n, "attackers")}で${hex(w, n)}${word(FIGHTS, w, "fight")}。` +
    `${text(w, "attack")}対${text(w, "defence")}で${text(w, "odds")}` +
    (w["shift"] ? `、シフト${modifier(w, "shift").trim()}で${text(w, "column")}` : ""),
  auto_ds: (w, n) => `${units(w, n)}が${hex(w, n)}に自動DS`,
  combat_result: (w) =>
    (w["die"] ? `${text(w, "column")}の出目は${text(w, "die")}：` : "") +
    text(w, "result").replace(" (red)", "（赤）").replace(" (orange)", "（橙）"),
  loss_ignored: () => "偵察部隊がかわす：ステップ損失なし",
  step_lost: (w, n) => `${unit(w, n)}が1ステップ損失：${word(SHOWS, w, "shows")}`,
  eliminated: (w, n) => `${unit(w, n)}は除去`,
  surrendered: (w, n) => `${unit(w, n)}は降伏`,
  yielded: (w, n) => `${side(w)}は${hex(w, n)}を明け渡す`,
  determined_defence: (w, n) =>
    `${hex(w, n)}の死守（先頭は${unit(w, n, "lead")}）：${roll(w)}、${w["holds"] ? "持ちこたえる" : "失敗"}`,
  desperate_defence: (w, n) => `${hex(w, n)}の決死の防御（先頭は${unit(w, n, "lead")}）`,
  carried: (w, n) => `${unit(w, n, "truck")}が${unit(w, n)}を運ぶ`,
  retreated: (w, n) => `${unit(w, n)}は${hex(w, n, "from")}から${hex(w, n, "to")}へ退却`,
  tagged_along: (w, n) => `${unit(w, n)}が同行`,
  disrupted: (w, n) => `${unit(w, n)}は混乱`,
  full_retreat: (w, n) => `${unit(w, n)}は総退却`,
  displaced: (w, n) => `${unit(w, n)}は${hex(w, n)}で場所を譲る`,
  breakthrough_group: (w, n) => `突破部隊：${units(w, n)}`,
  dropped: (w, n) => `${unit(w, n)}は${hex(w, n)}で止まる`,
  advanced: (w, n) => `${unit(w, n)}は${hex(w, n, "to")}へ前進`,
  disengagement: (w, n) => `${units(w, n)}の離脱：${roll(w)}、${word(ANSWERS, w, "answer")}`,
  free_sp: (w, n) => `${hex(w, n)}に無料の補給ポイント`,
  recovered: (w, n) => `${unit(w, n)}が回復：${word(ORDERS, w, "order")}`,
  rally: (w, n) => `${unit(w, n)}の立て直し：${roll(w)}、${w["rallied"] ? "成功" : "失敗"}`,
  replacement_markers_off: (w) => `${side(w)}：補充マーカーを外す`,
  supply,
  port_supply: (w, n) => `港が${unit(w, n)}に補給`,
  isolation: (w, n) => `${unit(w, n)}は孤立：${roll(w)}、${w["lost"] ? "1ステップ損失" : "損失なし"}`,
  delay_placed: (w, n) => `${side(w)}は遅滞マーカー${text(w, "marker")}を${hex(w, n)}に置く`,
  delay_removed: (w, n) => `${hex(w, n)}の遅滞マーカー${text(w, "marker")}を外す`,
  delay_roll: (w) => `${side(w)}の遅滞マーカー判定、出目は${list(w, "dice").join("と")}`,
  strafing_placed: (w, n) => `${side(w)}は${hex(w, n)}を掃射`,
  strafing_over: (w) => `${side(w)}の掃射は終わる`,
  lrdg_placed: (w, n) => `LRDGを${hex(w, n)}に置く`,
  lrdg_over: () => "LRDGは引き揚げる",
  supply_attrition: attrition,
  attrition_sp: (w, n) => `${side(w)}は${hex(w, n)}の補給ポイント1を失う`,
  attrition_asu: (w, n) => `${unit(w, n)}は消耗`,
  starving: (w) => `${side(w)}には失う補給がない：全部隊が補給切れ`,
  objectives: (w) => `枢軸軍の目標は${text(w, "count")}、必要数は${text(w, "needed")}`,
  victory_points: (w) =>
    `飛行場${text(w, "airfields")}、基準${text(w, "index")}：勝利得点${modifier(w, "vp").trim() || "0"}`,
  game_over: (w) =>
    `${text(w, "winner") ? `${side(w, "winner")}の勝ち` : "勝者なし"}：${LEVELS[text(w, "level")] ?? text(w, "level")}`,
};

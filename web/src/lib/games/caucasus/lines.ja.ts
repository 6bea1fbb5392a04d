/** What happens and what can be done in The Caucasus Campaign, in Japanese. */
import { list, modifier, numbered, text, unit, units, word } from "../../i18n/facts";
import type { Facts, Line, Names } from "../../i18n/game-words";

const SIDES: Record<string, string> = { axis: "枢軸軍", soviet: "ソ連軍" };
const SUPPORTS: Record<string, string> = {
  "AX-VIII": "第8航空軍団",
  "AX-IV": "第4航空軍団",
  "SU-4VA": "第4航空軍",
  "SU-5VA": "第5航空軍",
  "SU-BSF": "黒海艦隊",
  none: "支援なし",
};
const TYPES: Record<string, string> = {
  german_regular_infantry: "ドイツ歩兵補充",
  german_elite_infantry: "ドイツ精鋭歩兵補充",
  axis_allies: "枢軸同盟軍補充",
  german_mechanised: "ドイツ機械化補充",
  soviet_infantry: "ソ連歩兵補充",
  soviet_cavalry: "ソ連騎兵補充",
};
const SHOWS: Record<string, string> = { full: "完全戦力", reduced: "減少戦力", remnant: "残存部隊" };
const BOXES: Record<string, string> = {
  cadre: "（幹部ボックスへ）",
  removed: "（ゲームから外れる）",
  returning: "（次のターンに復帰）",
};
const FIGHTS: Record<string, string> = {
  combat: "攻撃",
  mobile_assault: "移動突撃",
  automatic_elimination: "自動除去",
};
const LEVELS: Record<string, string> = {
  victory: "勝利",
  "sudden death": "即時勝利",
  "sudden death: Rostov": "即時勝利：ロストフ",
  "sudden death: below par": "即時勝利：基準未満",
};
const PHASES: Record<string, string> = {
  setup: "配置",
  axis_initial: "枢軸軍初期フェイズ",
  axis_first_movement: "枢軸軍第1移動フェイズ",
  axis_first_combat: "枢軸軍第1戦闘フェイズ",
  soviet_second_movement: "ソ連軍第2移動フェイズ",
  soviet_second_combat: "ソ連軍第2戦闘フェイズ",
  axis_second_movement: "枢軸軍第2移動フェイズ",
  axis_second_combat: "枢軸軍第2戦闘フェイズ",
  axis_supply: "枢軸軍補給フェイズ",
  soviet_initial: "ソ連軍初期フェイズ",
  soviet_first_movement: "ソ連軍第1移動フェイズ",
  soviet_first_combat: "ソ連軍第1戦闘フェイズ",
  soviet_supply: "ソ連軍補給フェイズ",
  victory: "勝利判定フェイズ",
};
const ROLLS_FOR: Record<string, string> = {
  brandenburg: "ブランデンブルク大隊",
  eastern: "東方部隊",
  alpini: "山岳軍団",
};
const TABLES: Record<string, string> = { replacement: "補充表", event: "イベント表", weather: "天候表" };
const RESULTS: Record<string, string> = {
  ...TYPES,
  any_infantry: "歩兵補充のどれか",
  special: "特別（任意の補充か特殊部隊）",
  black_sea_fleet_sortie: "黒海艦隊の出撃",
  naval_brigade: "海軍旅団",
  infantry_replacement: "歩兵補充",
  cavalry_replacement: "騎兵補充",
  lend_lease_tanks: "レンドリース戦車",
  turkish_front_division: "トルコ国境の師団",
  fair: "晴天",
  bad: "悪天候",
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

/** "25-31 July 1942" is 1942年7月25～31日. */
export function dates(english: string): string {
  const found = /^(\d+)(?: (\w+))?(?: ?- ?(\d+))? (\w+) (\d{4})$/.exec(english);
  if (!found) return english;
  const [, first, month, last, end, year] = found;
  const of = (name: string | undefined): string => `${MONTHS.indexOf(name ?? "") + 1}月`;
  if (!last) return `${year}年${of(end)}${first}日`;
  return month ? `${year}年${of(month)}${first}日～${of(end)}${last}日` : `${year}年${of(end)}${first}～${last}日`;
}

const side = (w: Facts, key = "side"): string => word(SIDES, w, key);
const hex = (w: Facts, n: Names, key = "hex"): string => n.hex(text(w, key));
const at = (w: Facts, n: Names): string => numbered(text(w, "hex"), n.hex(text(w, "hex")));
const support = (w: Facts, key = "support"): string => word(SUPPORTS, w, key);

function table(w: Facts): string {
  const kind = text(w, "table");
  const who = ROLLS_FOR[kind];
  if (who === undefined)
    return `${side(w)}の${word(TABLES, w, "table")}の出目は${text(w, "die")}：${word(RESULTS, w, "result")}`;
  const comes = text(w, "result") === "arrives";
  const outcome = !comes ? "到着しない" : kind === "alpini" ? "このターンに到着" : `第${text(w, "turn")}ターンに到着`;
  return `${side(w)}の${who}の判定、出目は${text(w, "die")}：${outcome}`;
}

function supply(w: Facts): string {
  const [limited, out] = [list(w, "limited").length, list(w, "out").length];
  const parts = [
    `完全補給${text(w, "full")}`,
    ...(limited ? [`限定補給${limited}`] : []),
    ...(out ? [`補給切れ${out}`] : []),
  ];
  return `${side(w)}の補給：${parts.join("、")}`;
}

export const EVENTS: Record<string, Line> = {
  turn: (w) => `第${text(w, "turn")}ターン：${dates(text(w, "dates"))}`,
  phase: (w) => word(PHASES, w, "phase"),
  winter: () => "冬：クレストヴィ峠以外の峠は閉ざされ、季節湿地は湿地になる",
  set_up: (w, n) => `${unit(w, n)}を${hex(w, n)}に配置`,
  arrived: (w, n) => `${unit(w, n)}が${hex(w, n)}に到着`,
  alpini_level: () => "山岳軍団が到着した：枢軸軍には20勝利得点が必要",
  delayed: (w, n) => `${side(w)}は${units(w, n)}を待たせる`,
  drew: (w, n) => `カップから引いたのは${unit(w, n)}`,
  drew_none: () => "カップから引いたのは「なし」",
  lost: (w, n) => `${unit(w, n)}は置く場所がなく幹部ボックスへ`,
  called_up: (w, n) => `${unit(w, n)}を${w["box"] !== undefined ? "カスピ海東岸ボックスへ" : ""}動員`,
  air: (w) => `${support(w)}が${w["available"] ? "加わる" : "去る"}`,
  withdrawn: (w, n) => `${unit(w, n)}は引き揚げる` + (w["penalty"] ? "：このターンの補充判定なし" : ""),
  eastern_formed: () => "枢軸軍は東方部隊を編成する",
  table,
  no_effect: () => "効果なし",
  fleet: (w) => `黒海艦隊が使用可：マーカー${text(w, "ready")}個`,
  corps: (w, n) => `第4親衛騎兵軍団を${hex(w, n)}で編成`,
  replacement: (w) =>
    w["lost"]
      ? `${side(w)}：上限3個のため${word(TYPES, w, "type")}は失われる`
      : `${side(w)}は${word(TYPES, w, "type")}を得る`,
  rebuilt: (w, n) => `${unit(w, n)}を${hex(w, n)}で補充：${word(SHOWS, w, "shows")}`,
  merged: (w, n) => `${hex(w, n)}で${unit(w, n, "other")}を${unit(w, n)}に合併`,
  moved: (w, n) =>
    `${unit(w, n)}は${hex(w, n, "from")}から${hex(w, n, "to")}へ移動` +
    (w["mp"] ? `（${text(w, "mp")}移動ポイント）` : ""),
  railed: (w, n) => `${unit(w, n)}は${hex(w, n, "from")}から${hex(w, n, "to")}へ鉄道移動`,
  shipped: (w, n) => `${unit(w, n)}は${hex(w, n, "from")}から${hex(w, n, "to")}へ海上移動`,
  air_cover: (w, n) => `${support(w)}が${unit(w, n)}を上空援護`,
  landed: (w, n) => `${unit(w, n)}が${hex(w, n, "to")}に上陸`,
  removed: (w, n) => `${unit(w, n)}は${hex(w, n)}を離れ、第${text(w, "turn")}ターンに復帰`,
  assault: (w, n) => `${unit(w, n)}は${hex(w, n)}で突撃準備`,
  picked_up: (w, n) => `${unit(w, n)}が${hex(w, n)}でスタックに加わる`,
  stack_moved: (w, n) => `${units(w, n)}は${hex(w, n, "from")}から${hex(w, n, "to")}へ移動`,
  mobile_assault: (w, n) => `${units(w, n)}が${hex(w, n)}へ移動突撃`,
  entered: (w, n) => `${units(w, n)}が${hex(w, n)}に入る`,
  overstacked: (w, n) => `${hex(w, n)}はスタック超過：${unit(w, n)}を失う`,
  support: (w, n) => `${support(w)}が${hex(w, n)}の戦闘を支援`,
  combat: (w, n) =>
    `${side(w)}が${units(w, n, "attackers")}で${hex(w, n)}を${word(FIGHTS, w, "fight")}。` +
    `${text(w, "attack")}対${text(w, "defence")}で${text(w, "odds")}${modifier(w, "shift") && `、シフト${modifier(w, "shift").trim()}`}：${text(w, "column")}`,
  combat_result: (w) => `${text(w, "column")}の出目は${text(w, "die")}：${text(w, "result")}`,
  withdrew: (w, n) => `${unit(w, n)}は戦わずに退く`,
  yielded: (w, n) => `${side(w)}は${hex(w, n)}を明け渡す`,
  determined_defence: (w, n) =>
    `${hex(w, n)}の死守（先頭は${unit(w, n, "lead")}）：出目は${text(w, "die")}${modifier(w)}、${w["holds"] ? "持ちこたえる" : "失敗"}`,
  step_lost: (w, n) => `${unit(w, n)}が1ステップ損失：${word(SHOWS, w, "shows")}`,
  eliminated: (w, n) => `${unit(w, n)}は除去${BOXES[text(w, "box")] ?? ""}`,
  retreated: (w, n) => `${unit(w, n)}は${hex(w, n, "from")}から${hex(w, n, "to")}へ退却`,
  one_hex_retreat: (w, n) => `${unit(w, n)}は${hex(w, n)}で踏みとどまる`,
  disrupted: (w, n) => `${unit(w, n)}は混乱`,
  advanced: (w, n) => `${unit(w, n)}は${hex(w, n, "to")}へ前進`,
  control: (w, n) => `${side(w)}が${hex(w, n)}を占領：枢軸軍${text(w, "vp")}勝利得点`,
  fleet_gone: () => "ポチが陥落：黒海艦隊はゲームから外れる",
  corps_gone: () => "第4親衛騎兵軍団は失われた",
  supply,
  azov_ports: (w) =>
    w["open"] ? "アゾフ海の港が再び補給できる" : "テムリュクが遮断された：アゾフ海の港は補給できない",
  port_supply: (w, n) => `港が${unit(w, n)}に補給`,
  attrition: (w, n) =>
    `${unit(w, n)}は孤立：出目は${text(w, "die")}${modifier(w)}、${w["lost"] ? "1ステップ損失" : "損失なし"}`,
  recovered: (w, n) => `${side(w)}の回復：${units(w, n)}`,
  victory_check: (w) =>
    `第${text(w, "turn")}ターン終了：枢軸軍${text(w, "vp")}勝利得点` +
    (Number(w["par"] ?? -1) >= 0 ? `、基準${text(w, "par")}` : ""),
  game_over: (w) =>
    `${side(w, "winner")}の勝ち、枢軸軍${text(w, "vp")}勝利得点：${LEVELS[text(w, "level")] ?? text(w, "level")}`,
};

const AIR = ["", "（上空援護つき）", "（両港に上空援護つき）"];

export const ACTIONS: Record<string, Line> = {
  place: (w, n) => `${unit(w, n)}を${at(w, n)}に配置`,
  accept: () => "残りは推奨配置にする",
  delay: () => "このターンの到着はここまで",
  type: (w) => `${word(TYPES, w, "type")}を取る`,
  cadre: (w, n) => `${unit(w, n)}を幹部ボックスから出す`,
  corps: (w, n) => `第4親衛騎兵軍団を${at(w, n)}に置く`,
  "no-corps": () => "第4親衛騎兵軍団マーカーを取っておく",
  move: (w, n) => `${unit(w, n)}を移動`,
  to: (w, n) => `${at(w, n)}へ`,
  charge: (w, n) => `${at(w, n)}へ進み突撃準備`,
  rail: (w, n) => `鉄道で${at(w, n)}へ`,
  ship: (w, n) => `海路で${at(w, n)}へ${AIR[Number(text(w, "air"))] ?? ""}`,
  land: (w, n) => `${at(w, n)}に上陸`,
  remove: (w, n) => `${unit(w, n)}を次のターンまでマップから外す`,
  assault: (w, n) => `${unit(w, n)}はその場で突撃準備`,
  raid: (w, n) => `${unit(w, n)}で移動スタックを組む`,
  pick: (w, n) => `${unit(w, n)}を加える`,
  storm: (w, n) => `${at(w, n)}へ移動突撃`,
  enter: () => "空いたヘックスに入る",
  stay: () => "入らずに留まる",
  ready: () => "突撃準備",
  halt: () => "ここで止まる",
  rebuild: (w, n) => `${unit(w, n)}に${word(TYPES, w, "type")}を使う`,
  merge: (w, n) => `${unit(w, n, "other")}を${unit(w, n)}に合併`,
  crush: (w, n) => `${at(w, n)}で自動除去`,
  "end-moves": () => "移動を終える",
  attack: (w, n) => `${at(w, n)}を攻撃`,
  join: (w, n) => `${unit(w, n)}が加わる`,
  shift: (w, n) => `${unit(w, n)}がシフトのために加わる`,
  commit: () => "この部隊で攻撃",
  support: (w) => support(w, "marker"),
  "end-attacks": () => "戦闘を終える",
  lose: (w, n) => `${unit(w, n)}が1ステップ失う`,
  lead: (w, n) => `${unit(w, n)}を先頭に死守`,
  yield: () => "退却する",
  advance: (w, n) => `${unit(w, n)}が${at(w, n)}へ前進`,
  done: () => "前進はここまで",
  drop: (w, n) => `${unit(w, n)}を失う`,
  supply: (w, n) => `港が${unit(w, n)}に補給`,
  rolled: (w) => `出目は${text(w, "number")}`,
  drew: (w, n) => `${unit(w, n)}を引いた`,
  "drew-none": () => "「なし」を引いた",
};

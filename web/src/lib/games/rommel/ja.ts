/** 砂漠のロンメル: the words of this game in Japanese. */
import { list, text } from "../../i18n/facts";
import type { Facts, GameWords, Line, Names, Phrase } from "../../i18n/game-words";
import { ODDS, PROMPTS, REASONS } from "./reasons.ja";
import { dates, SCENE, SCENE_PHRASES } from "./scene.ja";
import { unitName } from "./units.ja";

const SIDES: Record<string, string> = { axis: "枢軸軍", commonwealth: "英連邦軍" };
const OPTIONS: Record<string, string> = {
  basic: "基本",
  offensive: "攻勢",
  assault: "強襲",
  blitz: "ブリッツ",
  pass: "パス",
};
const CARDS: Record<string, string> = { real: "本物", dummy: "ダミー", none: "なし" };
const CLASSES: Record<string, string> = { armour: "機甲", artillery: "砲兵", antitank: "対戦車", infantry: "歩兵" };
const DIRECTIONS: Record<string, string> = {
  E: "東",
  NE: "北東",
  NW: "北西",
  W: "西",
  SW: "南西",
  SE: "南東",
};

const side = (facts: Facts, key = "side"): string => SIDES[text(facts, key)] ?? text(facts, key);
const hex = (facts: Facts, names: Names, key = "hex"): string => names.hex(text(facts, key));
const hexes = (facts: Facts, names: Names): string => list(facts, "hexes").map(names.hex).join("、");
const who = (facts: Facts, names: Names): string =>
  facts["unit"] !== undefined ? names.unit(text(facts, "unit")) : `${side(facts)}のブロック`;
const card = (facts: Facts, key = "card"): string => CARDS[text(facts, key)] ?? text(facts, key);
const option = (facts: Facts): string => OPTIONS[text(facts, "option")] ?? text(facts, "option");
const klass = (facts: Facts, key: string): string => CLASSES[text(facts, key)] ?? text(facts, key);
const rommel = (facts: Facts): string => (Number(facts["rommel"] ?? 0) ? "（ロンメル指揮）" : "");

function blocks(facts: Facts, names: Names, key = "count"): string {
  const many = `${side(facts)}の${text(facts, key)}個ブロック`;
  const known = facts["units"];
  return Array.isArray(known) && known.length
    ? `${many}（${known.map((u) => names.unit(String(u))).join("、")}）`
    : many;
}

function via(facts: Facts): string {
  const word = facts["via"];
  const direction = typeof word === "string" ? DIRECTIONS[word] : undefined;
  return direction ? `（${direction}のヘックスサイドから）` : "";
}

const EVENTS: Record<string, Line> = {
  month: (w) => `第${text(w, "month")}月開始`,
  month_over: () => "両軍ともパス：この月は終了",
  turn: (w) => `${side(w)}のプレイヤーターン`,
  passed: (w) => `${side(w)}はパス`,
  cards_played: (w) =>
    `${side(w)}は補給カード${text(w, "cards")}枚を伏せて出す` +
    (w["option"] !== undefined ? `：${option(w)}、本物${text(w, "real")}枚、ダミー${text(w, "dummy")}枚` : ""),
  cards_shown: (w) => `${side(w)}の公開カードは本物${text(w, "real")}枚、ダミー${text(w, "dummy")}枚：${option(w)}`,
  challenged: (w) => `${side(w)}は主導権に挑む` + (w["card"] !== undefined ? `（${card(w)}カード）` : ""),
  no_challenge: (w) => `${side(w)}は主導権に挑まない`,
  challenge_cards: (w) => `挑戦カード：${card(w, "challenge")}、応答：${card(w, "answer")}`,
  initiative: (w) => `${side(w)}が主導権を持つ`,
  group_move: (w, n) => `${side(w)}は${hex(w, n)}でグループ移動${rommel(w)}`,
  regroup_move: (w, n) => `${side(w)}は${hex(w, n)}を指令地点に集結移動${rommel(w)}`,
  gathering: (w, n) => `${hex(w, n, "to")}に集結する`,
  moved: (w, n) => `${who(w, n)}は${hex(w, n, "from")}から${hex(w, n, "to")}へ移動`,
  move_over: () => "移動終了",
  withdrawal_abandoned: (w) => `${side(w)}は撤退を取りやめる`,
  exited: (w, n) => `${who(w, n)}は${hex(w, n)}からマップ外へ出る`,
  attacked: (w, n) => `${side(w)}は${hex(w, n)}を攻撃`,
  leaving: (w, n) => `${who(w, n)}は${hex(w, n)}からの離脱を準備`,
  full_retreat: (w, n) => `${side(w)}は${hex(w, n)}から総退却`,
  partial_retreat: (w, n) => `${side(w)}は${hex(w, n)}に後衛を残す`,
  probed: (w, n) => `${side(w)}は${hex(w, n)}で威力偵察`,
  no_probe: (w, n) => `${side(w)}は${hex(w, n)}で威力偵察しない`,
  march_declared: (w, n) => `${who(w, n)}は${hex(w, n, "to")}へ強行軍を宣言`,
  marched: (w, n) => `${who(w, n)}の出目は${text(w, "die")}：強行軍${w["success"] ? "成功" : "失敗"}`,
  raider: (w, n) => `${who(w, n)}は${hex(w, n)}で襲撃部隊として孤立`,
  revealed: (w, n) => `${hex(w, n)}で公開：${list(w, "units").map(n.unit).join("、")}`,
  stood: (w, n) => `${side(w)}は${hex(w, n)}で踏みとどまる`,
  avoided: (w, n) => `${blocks(w, n)}は${hex(w, n)}で戦闘を回避`,
  pursuit: (w, n) => `${hex(w, n)}で追撃：最低速度${text(w, "speed")}、ダイス${text(w, "dice")}個`,
  pursuit_fire: (w, n) => `${hex(w, n)}の追撃射撃：ダイス${text(w, "dice")}個で${text(w, "hits")}ヒット`,
  retired: (w, n) => `${who(w, n)}は${hex(w, n, "from")}から${hex(w, n, "to")}へ撤退`,
  routed: (w, n) => `${blocks(w, n)}は${hex(w, n)}で敗走`,
  declared: (w, n) => `${side(w)}は${hexes(w, n)}で戦う`,
  assaults: (w, n) => `${side(w)}は${hexes(w, n)}を強襲`,
  round: (w, n) => `${hex(w, n)}の${w["probe"] ? "威力偵察" : w["assault"] ? "強襲" : "戦闘"}`,
  fired: (w, n) => `${who(w, n)}が${klass(w, "cls")}を射撃、ダイス${text(w, "dice")}個：${text(w, "hits")}ヒット`,
  hits_wasted: (w, n) => `${hex(w, n)}の余ったヒットは失われる`,
  step_lost: (w, n) => `${who(w, n)}が1ステップ損失` + (w["cv"] !== undefined ? `、残りCV${text(w, "cv")}` : ""),
  eliminated: (w, n) => `${who(w, n)}は除去`,
  battle_over: (w, n) => `${hex(w, n)}の戦闘は終了`,
  disclosed: (w, n) => `${hex(w, n)}の地雷原が判明`,
  minefield_gone: (w, n) => `${side(w)}は${hexes(w, n)}の地雷原を撤去した`,
  disrupted: (w, n) => `${w["count"] !== undefined ? blocks(w, n) : who(w, n)}は${hex(w, n)}で混乱`,
  recovered: (w, n) => `${blocks(w, n)}は${hex(w, n)}で混乱から回復`,
  unsupplied: (w, n) => `${blocks(w, n)}は${hex(w, n)}で補給切れ`,
  resupplied: (w, n) => `${blocks(w, n)}は${hex(w, n)}で補給回復`,
  fortress_supply: (w, n) => `${who(w, n)}は${text(w, "fortress")}から補給を受ける`,
  oasis_supply: (w, n) => `${who(w, n)}は${hex(w, n)}のオアシス補給を受ける`,
  captured: (w) => `${side(w)}は${text(w, "fortress")}を占領：ボーナスカード${text(w, "cards")}枚`,
  buildup: (w) => `第${text(w, "month")}月の兵力増強期`,
  buildup_roll: (w) => `${side(w)}の増強ポイントの出目は${text(w, "roll")}`,
  buildup_points: (w) => `両軍に${text(w, "points")}ポイント。${side(w)}が先に兵力増強`,
  player_buildup: (w) => `${side(w)}の兵力増強期`,
  points_lost: (w) => `上限を超える${text(w, "points")}ポイントは失われる`,
  early_checks: (w) => `${side(w)}は増援${text(w, "blocks")}個の早期到着を判定`,
  early_check: (w, n) => `${who(w, n)}の出目は${text(w, "roll")}：${w["early"] ? "早期到着" : "予定どおり"}`,
  arrived_early: (w, n) => `${blocks(w, n, "blocks")}が${hex(w, n)}に早期到着`,
  arrived: (w, n) => `${blocks(w, n, "blocks")}が${hex(w, n)}に到着`,
  held: (w, n) => `${who(w, n)}は待機`,
  returned: (w, n) => `${blocks(w, n, "blocks")}が休養を終え${hex(w, n)}に復帰`,
  redeployed: (w, n) => `${who(w, n)}は${hex(w, n, "from")}から${hex(w, n, "to")}へ再配置`,
  shipped: (w, n) => `${who(w, n)}は${hex(w, n, "from")}から${hex(w, n, "to")}へ海上移動`,
  refit: (w, n) => `${who(w, n)}は${hex(w, n, "from")}から部隊休養へ`,
  rebuilt: (w, n) => `${who(w, n)}を補充` + (w["cv"] !== undefined ? `、CV${text(w, "cv")}に` : ""),
  mine_laid: (w, n) => `${side(w)}は地雷原を敷設` + (w["hex"] !== undefined ? `：${hex(w, n)}` : ""),
  mines_lifted: (w, n) => `${side(w)}は地雷原を撤去` + (w["hexes"] !== undefined ? `：${hexes(w, n)}` : ""),
  card_bought: (w) => `${side(w)}は追加カードを購入`,
  spent: (w) => `${side(w)}はこれ以上使わない`,
  card_given_up: (w) => `${side(w)}は${w["card"] !== undefined ? card(w) : ""}カードを捨てる`,
  deck_formed: () => "使用済みカードを山札に戻して切る",
  resupply: (w) => `${side(w)}はカード${text(w, "cards")}枚を引く`,
  dealt: (w) =>
    `${side(w)}にカード${text(w, "cards")}枚` +
    (w["real"] !== undefined ? `：本物${text(w, "real")}枚、ダミー${text(w, "dummy")}枚` : ""),
  placed: (w, n) => `${who(w, n)}を${hex(w, n)}に配置`,
  set_up: (w) => `${side(w)}の配置完了`,
  victory: (w) => `${w["winner"] ? `${side(w, "winner")}の勝利` : "引き分け"}（${text(w, "points")}勝利得点）`,
};

const u = (w: Facts, n: Names): string => n.unit(text(w, "unit"));
const at = (w: Facts, n: Names, key = "hex"): string => `${n.hex(text(w, key))}（${text(w, key)}）`;

const ACTIONS: Record<string, Line> = {
  place: (w, n) => `${u(w, n)}を${at(w, n)}に配置`,
  accept: () => "残りは印刷された配置のまま",
  challenge: (w) => `${card(w)}カードで挑む`,
  "no-challenge": () => "挑まない",
  answer: (w) => `${card(w)}カードで応じる`,
  "no-answer": () => "応じない",
  supply: (w, n) => `${u(w, n)}に要塞補給`,
  oasis: (w, n) => `${u(w, n)}にオアシス補給`,
  assigned: () => "割り当てを終える",
  option: (w) => option(w) + (Number(w["dummies"]) ? `（ダミー${text(w, "dummies")}枚）` : ""),
  pass: () => "パス",
  group: (w, n) => `${at(w, n)}でグループ移動${rommel(w)}`,
  regroup: (w, n) => `${at(w, n)}を指令地点に集結移動${rommel(w)}`,
  gather: (w, n) => `${at(w, n)}に集結`,
  move: (w, n) => `${u(w, n)}を移動`,
  to: (w, n) => `${at(w, n)}へ${via(w)}`,
  exit: (w, n) => `${at(w, n)}からマップ外へ`,
  join: (w, n) => `${u(w, n)}が合流${via(w)}`,
  rout: (w, n) => `${at(w, n)}の混乱した敵を今敗走させる`,
  "end-move": () => "この移動を終える",
  abandon: () => "撤退を取りやめる",
  "end-moves": () => "移動を終える",
  march: (w, n) => `${u(w, n)}が${at(w, n)}へ強行軍${via(w)}`,
  marches: () => "強行軍はもうしない",
  probe: (w, n) => `${at(w, n)}で威力偵察`,
  "no-probe": (w, n) => `${at(w, n)}から行かせる`,
  stand: (w, n) => `${at(w, n)}で踏みとどまる`,
  avoid: (w, n) => `${at(w, n)}で戦闘を回避`,
  fight: (w, n) => `${at(w, n)}で戦う`,
  assault: (w, n) => `${at(w, n)}を強襲`,
  declared: () => "戦闘の宣言を終える",
  resolve: (w, n) => `${at(w, n)}の戦闘を解決`,
  fire: (w, n) => `${u(w, n)}が${klass(w, "class")}を射撃`,
  lose: (w, n) => `${u(w, n)}が1ステップ失う`,
  arrive: (w, n) => `${u(w, n)}が根拠地の戦闘に加わる`,
  hold: (w, n) => `${u(w, n)}を待機させる`,
  redeploy: (w, n) => `${u(w, n)}を再配置`,
  ship: (w, n) => `${u(w, n)}を海上移動`,
  port: (w, n) => `${at(w, n)}の港へ`,
  refit: (w, n) => `${u(w, n)}を部隊休養に送る`,
  rebuild: (w, n) => `${u(w, n)}に1ステップ補充`,
  mine: (w, n) => `${at(w, n)}に地雷原を敷設`,
  lift: (w, n) => `${at(w, n)}と${at(w, n, "other")}の地雷原を撤去`,
  buy: () => "追加の補給カードを購入",
  spent: () => "これ以上使わない",
  give: (w) => `${card(w)}カードを捨てる`,
  keep: () => "残りは持っておく",
};

const TERMS: Record<string, string> = {
  ...SCENE,
  Axis: "枢軸軍",
  Commonwealth: "英連邦軍",
  Buildup: "兵力増強期",
  Initiative: "主導権",
  "Supply check": "補給判定",
  "Turn option": "ターンオプション",
  Movement: "移動",
  Combat: "戦闘",
  "Final supply check": "最終補給判定",
  Month: "月",
  "Axis hand": "枢軸軍の手札",
  "Commonwealth hand": "英連邦軍の手札",
  "Played face down": "伏せて出したカード",
  "Blocks on the map": "マップ上のブロック",
  "Combat value on the map": "マップ上の戦力（CV）",
  "Blocks lost": "失ったブロック",
  "Cards in hand": "手札の枚数",
  Minefield: "地雷原",
  "Minefield, known to you": "地雷原（自軍のみ既知）",
  "Axis defends": "枢軸軍が防御",
  "Commonwealth defends": "英連邦軍が防御",
  basic: "基本",
  offensive: "攻勢",
  assault: "強襲",
  blitz: "ブリッツ",
  armour: "機甲",
  artillery: "砲兵",
  antitank: "対戦車",
  infantry: "歩兵",
  real: "本物",
  dummy: "ダミー",
  strategic: "戦略的勝利",
  decisive: "決定的勝利",
  positional: "陣地的勝利",
  marginal: "辛勝",
  draw: "引き分け",
  resignation: "投了",
  "on time": "時間切れ",
  Withdraw: "撤退させる",
  Move: "移動させる",
};

const BOX_TERMS: Record<string, string> = {
  "Reinforcements to come": "今後の増援",
  "In refit": "部隊休養中",
  "Held back from the base": "根拠地で待機",
  "Left the map": "マップ外へ出た部隊",
  Eliminated: "除去",
};

for (const [name, own] of [
  ["Axis", "枢軸軍"],
  ["Commonwealth", "英連邦軍"],
] as const) {
  for (const [title, words] of Object.entries(BOX_TERMS)) TERMS[`${name}: ${title}`] = `${own}：${words}`;
}

const PHRASES: Phrase[] = [
  { match: /^Stand and fight, or avoid battle\?$/, text: "踏みとどまるか、戦闘を回避するか" },
  {
    match: /^Attacked: (.+)\. Who avoids battle suffers.*$/,
    text: "攻撃された：$1。回避すれば追撃射撃を受けて混乱する",
  },
  { match: /^Which battles are fought\?$/, text: "どの戦闘を行うか" },
  { match: /^Must be fought: (.+)$/, text: "行わねばならない戦闘：$1" },
  { match: /^No battle must be fought$/, text: "強制の戦闘はない" },
  { match: /^Which battle is resolved next\?$/, text: "次にどの戦闘を解決するか" },
  { match: /^To be fought: (.+)$/, text: "残りの戦闘：$1" },
  { match: /^Buildup points$/, text: "増強ポイント" },
  { match: /^(\d+) dice; the sum of all dice.*$/, text: "ダイス$1個。合計が両軍のポイントになり、低い側が先に行う" },
  { match: /^Early arrival$/, text: "早期到着" },
  { match: /^On 1 or 2 a reinforcement comes early$/, text: "1か2で増援が早く着く" },
  { match: /^Arrival in battle$/, text: "戦闘中の根拠地への到着" },
  { match: /^(.+) may enter the battle in (.+) or wait.*$/, text: "$1は$2の戦闘に加わるか、次の兵力増強期まで待つ" },
  { match: /^Defensive fire: which unit fires at which class\?$/, text: "防御射撃：どの部隊がどの種別を撃つか" },
  { match: /^Offensive fire: which unit fires at which class\?$/, text: "攻撃射撃：どの部隊がどの種別を撃つか" },
  { match: /^Battle in (.+): the artillery fires first$/, text: "$1の戦闘：砲兵が先に撃つ" },
  { match: /^Battle in (.+)$/, text: "$1の戦闘" },
  { match: /^Probe in (.+)$/, text: "$1の威力偵察" },
  { match: /^(.+) fires at (armour|artillery|antitank|infantry)$/, text: "$1が$2を射撃" },
  { match: /^Where does it retreat to\?$/, text: "どこへ退却するか" },
  { match: /^(.+) cannot go where it was to go any more$/, text: "$1は予定の場所へもう行けない" },
  { match: /^Fortress supply in (.+)$/, text: "$1の要塞補給" },
  {
    match: /^(.+) is isolated and can supply one more unit.*$/,
    text: "$1は孤立し、あと1部隊に補給できる。守備隊、次に近い部隊の順",
  },
  {
    match: /^(.+) is isolated and can supply (\d+) more units.*$/,
    text: "$1は孤立し、あと$2部隊に補給できる。守備隊、次に近い部隊の順",
  },
  { match: /^Challenge for the initiative$/, text: "主導権に挑む" },
  { match: /^Play one card face down to take.*$/, text: "カード1枚を伏せて出し、月の最初のターンを枢軸軍から奪うか" },
  { match: /^Answer the challenge$/, text: "挑戦に応じる" },
  { match: /^Only a real card keeps.*$/, text: "確実に主導権を保つのは本物のカードだけ。出したカードはすべて失われる" },
  { match: /^Take pursuit losses$/, text: "追撃の損失を受ける" },
  { match: /^Take losses$/, text: "損失を受ける" },
  { match: /^(\d+)( and a half)? hits? on the units leaving (.+)$/, text: "$3を離れる部隊に$1ヒット" },
  { match: /^(\d+)( and a half)? hits? on your (.+) in (.+)$/, text: "$4の自軍$3に$1ヒット" },
  { match: /^Declare forced marches$/, text: "強行軍の宣言" },
  { match: /^(\d+) declared; on 1, 2 or 3.*$/, text: "宣言$1件。1～3なら強行軍の部隊は混乱する" },
  { match: /^Forced march$/, text: "強行軍" },
  { match: /^4, 5 and 6 succeed$/, text: "4、5、6で成功" },
  { match: /^(Withdraw|Move) units from (.+)$/, text: "$2の部隊を$1" },
  {
    match: /^the Rommel move: each unit may go one hex farther$/,
    text: "ロンメル移動：各部隊は1ヘックス遠くまで行ける",
  },
  { match: /^Where does it go\?$/, text: "どこへ行くか" },
  { match: /^(.+), speed (\d+), from (.+)$/, text: "$1、速度$2、$3から" },
  { match: /^Where do they gather\?$/, text: "どこに集結するか" },
  { match: /^units in and beside (.+) go to one hex$/, text: "$1とその隣接ヘックスの部隊が1つのヘックスへ" },
  { match: /^Gather units in (.+)$/, text: "$1に部隊を集める" },
  {
    match: /^units in and beside (.+), one hex farther as the Rommel move$/,
    text: "$1とその隣接ヘックスの部隊（ロンメル移動で1ヘックス遠くまで）",
  },
  { match: /^units in and beside (.+)$/, text: "$1とその隣接ヘックスの部隊" },
  { match: /^Withdraw, or end your turn$/, text: "撤退するか、ターンを終える" },
  { match: /^one withdrawal move may be made$/, text: "撤退移動を1回行える" },
  { match: /^(\d+) of (\d+) moves? left in this phase$/, text: "このフェイズの残り移動 $1／$2" },
  { match: /^Choose a move, or end movement$/, text: "移動を選ぶか、移動を終える" },
  { match: /^Oasis supply in (.+)$/, text: "$1のオアシス補給" },
  { match: /^(.+) keeps one of the units in it in supply.*$/, text: "$1はこのターン1部隊を養う：部隊を選ぶ" },
  { match: /^Redeploy$/, text: "再配置" },
  {
    match: /^(.+): two hexes and the road bonus.*$/,
    text: "$1：1ポイントで2ヘックスと道路ボーナス、自軍の補給ネットワークの中",
  },
  { match: /^Sea movement$/, text: "海上移動" },
  { match: /^Give up supply cards$/, text: "補給カードを捨てる" },
  {
    match: /^You hold (\d+) real and (\d+) dummy cards and will draw (\d+).*$/,
    text: "手札は本物$1枚とダミー$2枚、これから$3枚以上引く",
  },
  { match: /^Supply cards$/, text: "補給カード" },
  { match: /^To be dealt: (\d+)(?: cards?)?$/, text: "カード$1枚を配る" },
  { match: /^Where does it rout to\?$/, text: "どこへ敗走するか" },
  { match: /^Where does it withdraw to\?$/, text: "どこへ撤退するか" },
  { match: /^(.+) withdraws from (.+) along its supply line$/, text: "$1は$2から補給線に沿って撤退" },
  { match: /^Probe the rearguard\?$/, text: "後衛に威力偵察するか" },
  { match: /^(\d+) units? (?:is|are) leaving (.+) behind a rearguard$/, text: "$1部隊が後衛を残して$2を離れる" },
  { match: /^Pursuit fire$/, text: "追撃射撃" },
  {
    match: /^(\d+) dice at the units leaving (.+); 4, 5 and 6 hit$/,
    text: "$2を離れる部隊にダイス$1個、4、5、6でヒット",
  },
  { match: /^Set up$/, text: "配置" },
  {
    match: /^Place (.+) \((\d+) of (\d+)\) in your deployment area.*$/,
    text: "$1（$2／$3）を配置区域に置くか、印刷どおりにする",
  },
  { match: /^Choose a turn option$/, text: "ターンオプションを選ぶ" },
  { match: /^(\d+) real and (\d+) dummy cards in hand$/, text: "手札は本物$1枚とダミー$2枚" },
  { match: /^Spend buildup points$/, text: "増強ポイントを使う" },
  { match: /^(\d+)(?: points?)? left; at most (\d+) are saved.*$/, text: "残り$1ポイント。翌月以降に残せるのは$2まで" },
  { match: /^Lay the minefield anew.*$/, text: "地雷原を自軍の補給ネットワークの別の場所に無料で敷き直す" },
  { match: /^(\d+) buildup points$/, text: "増強ポイント$1" },
  { match: /^Turn option: (.+)$/, text: "ターンオプション：$1" },
  { match: /^([\d–]+) months$/, text: "$1か月" },
];

export const words: GameWords = {
  title: "砂漠のロンメル",
  summary:
    "1940年から1942年、エル・アゲイラからアレクサンドリアまでの砂漠の戦い。伏せたブロックと補給カード：鉄条網の向こうに何がいて、いつまで動けるのか、誰にもわからない。",
  sides: SIDES,
  notes: {
    "1940": "1940年9月の国境のグラツィアーニから、1941年2月のコンパス作戦の終わりまで。",
    "1941": "ロンメルの最初の攻撃からクルセイダー作戦の終わりまで。",
    "1942": "ガザラでの停止から1942年11月まで。",
    battleaxe: "1941年6月の救援の試みと、その後の夏。",
    campaign: "1941年4月から1942年11月までの20か月。",
    crusader: "トブルク救援、1941年11月から3か月。",
    gazala: "1942年5月と6月、ガザラ線とトブルク。",
    pursuit: "トブルク陥落後の1942年6月末から11月まで。",
  },
  options: {
    infantry_tanks: "歩兵戦車は遅い",
    eliminate_unsupplied_after_last_month: "最後の月の後、補給切れの部隊は失われる",
    free_setup: "配置区域への自由配置",
  },
  events: EVENTS,
  actions: ACTIONS,
  unit: (_, english) => unitName(english),
  terms: TERMS,
  phrases: [...PHRASES, ...SCENE_PHRASES],
  sentences: { ...REASONS, ...ODDS, ...PROMPTS },
  dates,
};

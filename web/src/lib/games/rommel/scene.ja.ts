/** What lies on the table of Rommel in the Desert, in Japanese: marks, terrain, overlays, ways of doing things. */
import type { Phrase } from "../../i18n/game-words";

export const SCENE: Record<string, string> = {
  // Markers and marks
  battle: "戦闘",
  fortress: "要塞",
  minefield: "地雷原",
  Control: "支配",
  "secret minefield": "秘密の地雷原",
  disrupted: "混乱",
  moved: "移動済",
  "out of supply": "補給切れ",
  "fortress supply": "要塞補給",
  "oasis supply": "オアシス補給",

  // Kinds of units
  elite: "精鋭",
  recon: "偵察",
  "infantry tank": "歩兵戦車",
  "mechanised infantry": "機械化歩兵",
  "motorised infantry": "自動車化歩兵",
  "mobile antitank": "機動対戦車",
  "motorised antitank": "自動車化対戦車",
  "self propelled artillery": "自走砲",

  // The hex
  land: "陸",
  sea: "海",
  impassable: "進入不可",
  mountain: "山",
  marsh: "湿地",
  depression: "低地",
  ridge: "尾根",
  town: "町",
  port: "港",
  "unlimited port": "制限のない港",
  fort: "砦",
  oasis: "オアシス",
  well: "井戸",
  crossroads: "十字路",
  coastal: "沿岸",
  distorted: "変形ヘックス",
  "coast road": "海岸道路",
  track: "小道",
  trail: "踏み分け道",

  // Odds
  success: "成功",
  failure: "失敗",
  "you fire first": "自軍が先に撃つ",
  "you fire second": "自軍が後に撃つ",
  "the enemy fires first": "敵が先に撃つ",
  "the enemy fires second": "敵が後に撃つ",
  hit: "ヒット",
  hits: "ヒット",

  // Ways of doing things
  "Group move": "グループ移動",
  "out of one hex": "1ヘックスから",
  Regroup: "集結移動",
  "into one hex": "1ヘックスへ",
  "Led by Rommel": "ロンメル指揮",
  Ship: "海上移動",
  Refit: "部隊休養",
  "Lay mines": "地雷原の敷設",
  Basic: "基本",
  "1 move, 1 combat round": "移動1回、戦闘1回",
  Offensive: "攻勢",
  "2 moves together, 1 combat round": "移動2回、戦闘1回",
  Assault: "強襲",
  "1 move, double dice where you say": "移動1回、宣言した場所でダイス2倍",
  Blitz: "ブリッツ",
  "Move, fight, move and fight again": "移動と戦闘を2度",
  Pass: "パス",
  "No card; one withdrawal": "カードなし、撤退1回",
  Supply: "補給",
  "worth nothing": "価値なし",
  Dummy: "ダミー",
  Dummies: "ダミー",
};

/** What so many ports cost: "9 Indian: Tobruk for 1, Bardia for 1". */
function fares(ports: number): Phrase {
  const each = Array.from({ length: ports }, (_, i) => i);
  return {
    match: new RegExp(`^(.+): ${each.map(() => "([^,:]+) for (\\d+)").join(", ")}$`),
    text: `$1：${each.map((i) => `$${2 * i + 2}へ$${2 * i + 3}ポイント`).join("、")}`,
  };
}

export const SCENE_PHRASES: Phrase[] = [
  ...[1, 2, 3, 4].map(fares),
  { match: /^(\d+)( and a half)? hits?$/, text: "$1ヒット" },
  { match: /^(Axis|Commonwealth) supply network$/, text: "$1の補給ネットワーク" },
  { match: /^Within reach of (Axis|Commonwealth) armour \(speed (\d+)\)$/, text: "$1機甲部隊（速度$2）の到達範囲" },
  { match: /^CV (\d+) of (\d+)$/, text: "CV$1（最大$2）" },
  { match: /^speed (\d+)$/, text: "速度$1" },
  { match: /^by coast road(?: \((.+)\))?$/, text: "海岸道路沿い" },
  { match: /^by track(?: \((.+)\))?$/, text: "小道沿い" },
  { match: /^by trail(?: \((.+)\))?$/, text: "踏み分け道沿い" },
  { match: /^double fire: hits on (\d) and (\d)$/, text: "2倍射撃：$1と$2でヒット" },
  { match: /^single fire: hits on (\d)$/, text: "単発射撃：$1でヒット" },
];

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

/** "November 1941" is 1941年11月. */
export function dates(english: string): string {
  const found = /^([A-Z][a-z]+) (\d{4})$/.exec(english);
  const month = MONTHS.indexOf(found?.[1] ?? "") + 1;
  return found && month ? `${found[2]}年${month}月` : english;
}

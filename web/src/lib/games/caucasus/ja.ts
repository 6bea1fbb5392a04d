/** コーカサス・キャンペーン: the words of this game in Japanese. */
import type { GameWords } from "../../i18n/game-words";
import { ACTIONS, dates, EVENTS } from "./lines.ja";
import { ODDS } from "./odds.ja";
import { REASONS } from "./reasons.ja";
import { NOTES, PHRASES, SCENE } from "./scene.ja";

const PROMPTS: Record<string, string> = {
  "{}; 10:1 is needed": "{1}。10対1が必要",
  "{} against {}, {} with shifts so far": "今のところ{1}対{2}、シフト込みで{3}",
  "4th Guards Cavalry Corps": "第4親衛騎兵軍団",
  "A unit arrives": "部隊の到着",
  "Advance after combat?": "戦闘後前進するか",
  "Any friendly Azov port": "アゾフ海の自軍の港のどれか",
  "Attack which hex?": "どのヘックスを攻撃するか",
  "Attacks are voluntary, in any order": "攻撃は任意、順番も自由",
  "Attrition of {}": "{1}の消耗",
  "Determined Defence": "死守",
  "Does {} advance a second hex?": "{1}は2ヘックス目へ前進するか",
  "Enter {}?": "{1}に入るか",
  "First Movement Phase": "第1移動フェイズ",
  "From any adjacent hexes": "隣接ヘックスのどこからでも",
  "Full-strength units first, then reduced ones, then remnants": "完全戦力、減少戦力、残存部隊の順",
  "HQs return": "司令部の復帰",
  "Hex {} of {}: fewest losses first, then supply, then stacking":
    "{2}ヘックス中{1}番目：損失の少なさ、補給、スタックの順に優先",
  "Mechanised units and cavalry two hexes, others one, in any direction":
    "機械化部隊と騎兵は2ヘックス、ほかは1ヘックス、方向は自由",
  "Mobile assault": "移動突撃",
  "One die": "ダイス1個",
  "One die for {}": "{1}にダイス1個",
  "Only into {}, and no farther": "{1}まで。それより先へは行けない",
  "Only units with assault markers attack": "突撃マーカーのある部隊だけが攻撃する",
  "Place one of these: {}": "次のどれかを配置：{1}",
  "Place the 4th Guards Cavalry Corps marker with Soviet cavalry, or keep it for a later turn":
    "第4親衛騎兵軍団マーカーをソ連騎兵に置くか、後のターンまで取っておく",
  "Place the HQs that were eliminated or removed": "除去された司令部を置く",
  "Place the units of Army {} in its start zone ({} left): at least {} and at most {} in every hex; or accept the suggested set-up":
    "第{1}軍の部隊を開始区域に置く（残り{2}）：各ヘックス{3}以上{4}以下。または推奨配置にする",
  "Place {}, or delay them": "{1}を置くか、遅らせる",
  "Random reinforcements": "ランダム増援",
  Reinforcements: "増援",
  Replacement: "補充",
  "Second Movement Phase": "第2移動フェイズ",
  "Set up Army {}": "第{1}軍の配置",
  "Stand or retreat?": "踏みとどまるか、退却するか",
  "Support for the Determined Defence?": "死守に支援を与えるか",
  "Support for the attack?": "攻撃に支援を与えるか",
  "Tbilisi is lost. Which of them is lost with it: {}?": "トビリシを失った。共に失うのはどれか：{1}",
  "The cup holds {} and {}": "カップには{1}と{2}",
  "{} unit": "部隊{1}個",
  "{} units": "部隊{1}個",
  "{} None chit": "「なし」チット{1}個",
  "{} None chits": "「なし」チット{1}個",
  "There is no room where it stands: one additional hex, of the attacker's choice":
    "その場所には余裕がない：攻撃側が選ぶ1ヘックス先へ",
  "Too many units in a hex": "ヘックスの部隊が多すぎる",
  "Where does it go?": "どこへ行くか",
  "Where does {} arrive?": "{1}はどこに到着するか",
  "Where to does {} retreat?": "{1}はどこへ退却するか",
  "Which of them goes to Tbilisi: {}?": "トビリシへ行くのはどれか：{1}",
  "Which of {} units loses a step?": "{1}部隊のうちどれが1ステップ失うか",
  "Which replacement do you take, or which special unit out of the Cadre Box?":
    "どの補充を取るか、または幹部ボックスのどの特殊部隊か",
  "Which replacement do you take?": "どの補充を取るか",
  "Which units do the small ports supply?": "小港はどの部隊に補給するか",
  "Who attacks {}?": "誰が{1}を攻撃するか",
  "Who takes part against {}?": "{1}への攻撃に誰が加わるか",
  "It costs no MPs; the stack may go on from either hex": "移動ポイントは不要。スタックはどちらのヘックスからも進める",
  "Mechanised units and cavalry move and may raid; foot units move one hex or take assault markers":
    "機械化部隊と騎兵は移動と襲撃ができる。徒歩部隊は1ヘックス移動か突撃マーカー",
  "Move units, use replacements; extended, rail and sea movement are for this phase only":
    "部隊を動かし補充を使う。延長・鉄道・海上移動はこのフェイズだけ",
  "{} against {} without": "なしでは{1}対{2}",
  "{} against {}: a Determined Defence, or a retreat of 2 hexes": "{1}対{2}：死守か、2ヘックス退却",
  "{} holds {} too many ({}): eliminate a unit": "{1}は{2}超過（{3}）：1部隊を除去する",
  "{} in {}: {} MP left, an assault takes {}": "{2}の{1}：残り{3}移動ポイント、突撃に{4}",
  "{} leads in {}": "{2}では{1}が先頭",
  "{} leads the defence of {}": "{2}の防御は{1}が先頭",
  "{} retreats to which port?": "{1}はどの港へ退却するか",
  "{} to {}, {} after shifts": "{1}対{2}、シフト後{3}",
  "{} {} at {}": "{3}で{1} {2}",
  "{}, MA {}, from {}": "{1}、移動力{2}、{3}から",
  "{}: {} units a port, and {} depend on them": "{1}：1港につき{2}部隊、{3}部隊が頼る",
};

const TERMS: Record<string, string> = {
  ...SCENE,
  Axis: "枢軸軍",
  Soviet: "ソ連軍",
  "Set-up": "配置",
  "Axis initial": "枢軸軍初期",
  "Axis 1st move": "枢軸軍第1移動",
  "Axis 1st combat": "枢軸軍第1戦闘",
  "Axis 2nd move": "枢軸軍第2移動",
  "Axis 2nd combat": "枢軸軍第2戦闘",
  "Axis final": "枢軸軍最終",
  "Soviet initial": "ソ連軍初期",
  "Soviet 1st move": "ソ連軍第1移動",
  "Soviet 1st combat": "ソ連軍第1戦闘",
  "Soviet 2nd move": "ソ連軍第2移動",
  "Soviet 2nd combat": "ソ連軍第2戦闘",
  "Soviet final": "ソ連軍最終",
  Turn: "ターン",
  "Axis VP": "枢軸軍勝利得点",
  "Black Sea Fleet": "黒海艦隊",
  Ready: "使用可",
  "Axis supply": "枢軸軍補給",
  "Soviet supply": "ソ連軍補給",
  Victory: "勝利判定",
  victory: "勝利",
  "sudden death": "即時勝利",
  "sudden death: Rostov": "即時勝利：ロストフ",
  "sudden death: below par": "即時勝利：基準未満",
  resignation: "投了",
  "on time": "時間切れ",
  "VIII Air Corps +2": "第8航空軍団 +2",
  "IV Air Corps +1": "第4航空軍団 +1",
  Eliminated: "除去",
  "Cadre Box": "幹部ボックス",
  "Waiting to arrive": "到着待ち",
  "On the turn track": "ターン欄の部隊",
  "Naval brigades": "海軍旅団",
  "Lend-Lease": "レンドリース",
  "Turkish Front": "トルコ国境",
  "In the cup": "カップの中",
  "Blücher II": "ブリュッヒャーII",
  "Italian Alpini Corps": "イタリア山岳軍団",
  "Eastern units": "東方部隊",
  Brandenburg: "ブランデンブルク",
};

/** Kinds of formations, the longer names first: "13th Panzer Division" is 第13装甲師団. */
const KINDS: readonly (readonly [english: string, japanese: string])[] = [
  ["Special Purpose Battalion Brandenburg", "特殊任務大隊ブランデンブルク"],
  ["Romanian Mountain Division", "ルーマニア山岳師団"],
  ["Romanian Infantry Division", "ルーマニア歩兵師団"],
  ["Romanian Cavalry Division", "ルーマニア騎兵師団"],
  ["Alpini Division Tridentina", "山岳師団トリデンティーナ"],
  ["Alpini Division Cuneense", "山岳師団クネエンセ"],
  ["Alpini Division Julia", "山岳師団ユリア"],
  ["Cossack Cavalry Division", "コサック騎兵師団"],
  ["NKVD Division elements", "NKVD師団の一部"],
  ["Mountain Rifle Division", "山岳狙撃師団"],
  ["Guards Rifle Division", "親衛狙撃師団"],
  ["Naval Infantry Brigade", "海軍歩兵旅団"],
  ["Guards Tank Brigade", "親衛戦車旅団"],
  ["Assault Gun Brigade", "突撃砲旅団"],
  ["Anti-tank Regiment", "対戦車連隊"],
  ["SS Division Wiking", "SS師団ヴィーキング"],
  ["Guards Rifle Corps", "親衛狙撃軍団"],
  ["Motorised Division", "自動車化師団"],
  ["Mountain Division", "山岳師団"],
  ["Infantry Division", "歩兵師団"],
  ["Security Division", "保安師団"],
  ["Bicycle Regiment", "自転車連隊"],
  ["Cavalry Division", "騎兵師団"],
  ["Panzer Division", "装甲師団"],
  ["Panzer Army HQ", "装甲軍司令部"],
  ["Jäger Division", "猟兵師団"],
  ["Rifle Division", "狙撃師団"],
  ["NKVD Division", "NKVD師団"],
  ["Flak Regiment", "高射砲連隊"],
  ["Rifle Brigade", "狙撃旅団"],
  ["Tank Brigade", "戦車旅団"],
  ["Rifle Corps", "狙撃軍団"],
  ["Army HQ", "軍司令部"],
];

const NAMED: Record<string, string> = {
  "Slovak Fast Division": "スロヴァキア快速師団",
  "Korps Felmy": "フェルミー軍団",
  "Turkestani battalions": "トルキスタン大隊",
  "North Caucasian battalions": "北コーカサス大隊",
  "Bergmann Battalion": "ベルクマン大隊",
  "Black Sea Group HQ": "黒海集団司令部",
  "Northern Group HQ": "北部集団司令部",
  "Azov Flotilla": "アゾフ小艦隊",
  "Armoured Train": "装甲列車",
  "Temryuk Port Garrison": "テムリュク港守備隊",
  "Novorossiysk Port Garrison": "ノヴォロシースク港守備隊",
  "Tuapse Port Garrison": "トゥアプセ港守備隊",
  "Grozny NKVD Division": "グロズヌイNKVD師団",
  "Ordzhonikidze NKVD Division": "オルジョニキゼNKVD師団",
  "Makhachkala NKVD Division": "マハチカラNKVD師団",
  "Sukhumi NKVD Division": "スフミNKVD師団",
  "Astrakhan NKVD Division": "アストラハンNKVD師団",
};

export function unitName(english: string): string {
  const named = NAMED[english];
  if (named) return named;
  const found = /^(\d+)(?:st|nd|rd|th) (.+)$/.exec(english);
  const kind = KINDS.find(([name]) => name === found?.[2]);
  return found && kind ? `第${found[1]}${kind[1]}` : english;
}

for (const [side, own] of [
  ["Axis", "枢軸軍"],
  ["Soviet", "ソ連軍"],
] as const) {
  for (const [title, text] of Object.entries({ ...TERMS })) TERMS[`${side}: ${title}`] ??= `${own}：${text}`;
}

export const words: GameWords = {
  title: "コーカサス・キャンペーン",
  summary: "1942年夏、ロストフからバクーへ。油田を目指す枢軸軍と、山と川で食い止めるソ連軍。",
  sides: { axis: "枢軸軍", soviet: "ソ連軍" },
  notes: {
    campaign: "1942年7月25日から11月14日まで。枢軸軍は第14ターン終了時に18勝利得点（山岳軍団が来たら20）が必要。",
    tournament: "1942年7月25日から9月11日まで。枢軸軍は第7ターン終了時に14勝利得点が必要。",
  },
  options: {
    mechanised_panzer_army_hq: "第1装甲軍司令部は機械化",
    elite_guards_tanks: "ソ連の親衛戦車旅団は精鋭",
    a1d1_owner_chooses: "A1/D1：損失は各軍が自分で選ぶ",
    a1d2_opponent_chooses: "A1/D2：各軍の最初の損失は相手が選ぶ",
  },
  events: EVENTS,
  actions: ACTIONS,
  unit: (_, english) => unitName(english),
  terms: TERMS,
  phrases: PHRASES,
  sentences: { ...REASONS, ...ODDS, ...PROMPTS, ...NOTES },
  dates,
};

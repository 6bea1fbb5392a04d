/** Seas, rivers and regions that are lettered on the maps, in Japanese. */

const JAPANESE: Readonly<Record<string, string>> = {
  "Mediterranean Sea": "地中海",
  "Gulf of Sirte": "シルテ湾",
  "Gulf of Bomba": "ボンバ湾",
  "Gulf of Sollum": "サルーム湾",
  "Jebel el Akhdar": "ジェベル・アフダル",
  "Qattara Depression": "カッターラ低地",
  "Libyan Desert": "リビア砂漠",
  "Sea of Azov": "アゾフ海",
  "Black Sea": "黒海",
  "Caspian Sea": "カスピ海",
  Crimea: "クリミア",
  Turkey: "トルコ",
  Caucasus: "カフカス",
  "Kalmyk steppe": "カルムイク草原",
  Don: "ドン川",
  Manych: "マヌィチ川",
  Kuban: "クバン川",
  Kuma: "クマ川",
  Terek: "テレク川",
  Volga: "ヴォルガ川",
  "Western Dorsale": "西ドルサル山脈",
  "Eastern Dorsale": "東ドルサル山脈",
};

const LETTERED = /(<g\b[^>]*\bdata-place="([^"]+)"[^>]*>)(<text\b[^>]*>)[\s\S]*?<\/g>/g;

/** A map with its seas and regions in Japanese, upright; `called` knows the places of the game. */
export function japaneseMap(svg: string, called: (name: string) => string | undefined): string {
  return svg.replace(LETTERED, (all, group: string, name: string, text: string) => {
    const said = called(name) ?? JAPANESE[name];
    return said ? `${group.replace("<g", '<g font-style="normal"')}${text}${said}</text></g>` : all;
  });
}

/** The requests of lessons. */

import { change, get } from "../api/client";
import type { GameRecord, LessonInfo, LessonState } from "../api/types";

const lesson = (id: string, rest = ""): string => `/api/games/${encodeURIComponent(id)}/lesson${rest}`;

export const lessons = {
  all: () => get<LessonInfo[]>("/api/lessons"),
  begin: (game: string, id: string, anew = false) =>
    change<GameRecord>("POST", `/api/lessons/${encodeURIComponent(game)}/${encodeURIComponent(id)}?anew=${anew}`, {}),
  state: (id: string) => get<LessonState>(lesson(id)),
  read: (id: string, step: number) => change<LessonState>("POST", lesson(id, "/read"), { step }),
  again: (id: string, step: number) => change<GameRecord>("POST", lesson(id, "/again"), { step }),
};

/** Where a rule number leads: the drawer beside the map, or the rulebook's page where there is no drawer. */

import { router, rulesLink } from "../router.svelte";

class RuleDesk {
  /** The rule that the drawer shows; null if it is shut. */
  rule: string | null = $state(null);
  opened = $state(false);
  /** The game whose table is open. */
  game: string | null = $state(null);

  open(rule: string | null): void {
    if (!this.game) return;
    this.rule = rule;
    this.opened = true;
  }

  show(rule: string, game: string | null = this.game): void {
    if (this.game) this.open(rule);
    else if (game) router.go(rulesLink(game, rule));
  }

  close(): void {
    this.opened = false;
  }
}

export const ruleDesk = new RuleDesk();

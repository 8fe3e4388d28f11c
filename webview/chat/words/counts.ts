import { t } from "../../../src/util/l10n.ts";

export const messages = (n: number): string =>
  n === 1 ? t("1 message") : t("{0} messages", n);

export const characters = (n: number): string =>
  n === 1 ? t("1 character") : t("{0} characters", n);

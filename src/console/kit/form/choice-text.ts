import { choiceLabel, t } from '../language/language.ts'
import { hasNoRate } from '../service/exchange-rates.ts'

/** The text of a choice of a field: of a currency also that it has no exchange rate. */
export function choiceText(path: string, name: string, choice: string | number): string {
  const text = choiceLabel(path, name, choice)
  return /(^|_)currency$/.test(name) && hasNoRate(String(choice)) ? t('currency.without-rate', { currency: text }) : text
}

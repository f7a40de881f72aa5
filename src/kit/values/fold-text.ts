/** SQL expression that folds a string for searches. The function is created by a migration. */
export const foldSql = (sql: string): string => `fold_text((${sql})::text)`

/**
 * Folds a string for searches: µ, μ and u are equal, as are both ohm signs, × and x, letters composed or not, full-width forms.
 * Case is kept. The same as `fold_text` in the database.
 */
export const foldText = (text: string): string => text.normalize('NFKC').replaceAll('μ', 'u').replaceAll('×', 'x')

/** Special characters of regular expressions. */
const SPECIAL_CHARACTER = /[\\^$.*+?()[\]{}|]/

/** Folds a regular expression for folded strings. A character that folds to a special one, such as a full-width bracket, stays. */
export const foldRegularExpression = (expression: string): string =>
  [...expression.normalize('NFC')]
    .map((character) => {
      const folded = foldText(character)
      return SPECIAL_CHARACTER.test(folded) ? character : folded
    })
    .join('')
    .normalize('NFC')

/** The values of a field before and after a change, as security events store them. */
type Change = { before: unknown; after: unknown }

/** Lists the changed values by field. Decimals are compared as numbers: `2.5` equals `2.50`. */
export const listChanges = (
  names: readonly string[],
  before: (name: string) => unknown,
  after: (name: string) => unknown,
): Record<string, Change> =>
  Object.fromEntries(
    names
      .map((name) => [name, { before: before(name), after: after(name) }] as const)
      .filter(([, change]) => !isEqual(change.before, change.after)),
  )

const DECIMAL = /^-?\d+(\.\d+)?$/

const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || (DECIMAL.test(String(one)) && DECIMAL.test(String(other)) && Number(one) === Number(other))

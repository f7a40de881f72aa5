/** Values that an import changes on purpose, and how to distinguish that from damage. */
type Change = {
  model: RegExp
  field: RegExp
  why: string
  /** Whether a value was changed in this way; without it the field is not stored at all. */
  fits?: (dumpValue: unknown, storedValue: unknown) => boolean
}

/** Whether a value is null, an empty text, or an empty object or list. */
export const isEmptyValue = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && /^(\{\}|\[\])$/.test(JSON.stringify(value)))

/** All intended changes. */
const changes: readonly Change[] = [
  {
    model: /./,
    field: /./,
    why: 'null and empty are represented by one value',
    fits: (dumpValue, storedValue) => isEmptyValue(dumpValue) && isEmptyValue(storedValue),
  },
  {
    model: /./,
    field: /currency$/,
    why: 'an empty currency is the default currency',
    fits: (dumpValue, storedValue) => isEmptyValue(dumpValue) && /^[A-Z]{3}$/.test(String(storedValue)),
  },
  {
    model: /./,
    field: /^barcode_(data|hash)$/,
    why: 'a code of several objects remains with one of them, as the import reported',
    fits: (_, storedValue) => isEmptyValue(storedValue),
  },
  {
    model: /^plugin\.pluginconfig$/,
    field: /^active$/,
    why: 'features that ran elsewhere are enabled manually',
    fits: (dumpValue, storedValue) => dumpValue === true && storedValue === false,
  },
  { model: /./, field: /^(lft|rght|tree_id|level)$/, why: 'calculated from the parents' },
  { model: /^part\.partpricing$/, field: /_currency$/, why: 'all amounts of a part have the same currency' },
  { model: /^auth\.(user|group)$/, field: /permissions$/, why: 'permissions come from roles' },
  { model: /^users\.owner$/, field: /^owner_type$/, why: 'it names the column of the owner that refers to the user or group' },
  { model: /^part\.bomitem$/, field: /^validated$/, why: 'calculated from the checksum' },
  { model: /^stock\.stockitem$/, field: /^review_needed$/, why: 'it is not used' },
]

/** Why a value was changed on purpose; undefined for damage. */
export const changeOf = (model: string, field: string, dumpValue: unknown, storedValue: unknown): string | undefined =>
  changes.find((change) => change.model.test(model) && change.field.test(field) && change.fits?.(dumpValue, storedValue))?.why

/** Why a field is not stored; undefined if it should be. */
export const omissionReason = (model: string, field: string): string | undefined =>
  changes.find((change) => change.model.test(model) && change.field.test(field) && !change.fits)?.why

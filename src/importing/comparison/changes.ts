import { isEmptyValue } from '../reading/record.ts'

/** Values that an import changes on purpose, and how to distinguish that from damage. */
type Change = {
  model: RegExp
  field: RegExp
  reason: string
  /** Whether a value was changed in this way; without it the field is not stored at all. */
  matches?: (dumpValue: unknown, storedValue: unknown) => boolean
}

/** All intended changes. */
const changes: readonly Change[] = [
  {
    model: /./,
    field: /./,
    reason: 'null and empty are represented by one value',
    matches: (dumpValue, storedValue) => isEmptyValue(dumpValue) && isEmptyValue(storedValue),
  },
  {
    model: /./,
    field: /currency$/,
    reason: 'an empty currency is the default currency',
    matches: (dumpValue, storedValue) => isEmptyValue(dumpValue) && /^[A-Z]{3}$/.test(String(storedValue)),
  },
  {
    model: /./,
    field: /^barcode_(data|hash)$/,
    reason: 'a code of several objects remains with one of them, as the import reported',
    matches: (_, storedValue) => isEmptyValue(storedValue),
  },
  {
    model: /^plugin\.pluginconfig$/,
    field: /^active$/,
    reason: 'features that ran elsewhere are enabled manually',
    matches: (dumpValue, storedValue) => dumpValue === true && storedValue === false,
  },
  { model: /./, field: /^(lft|rght|tree_id|level)$/, reason: 'calculated from the parents' },
  { model: /^part\.partpricing$/, field: /_currency$/, reason: 'all amounts of a part have the same currency' },
  { model: /^auth\.(user|group)$/, field: /permissions$/, reason: 'permissions come from roles' },
  { model: /^users\.owner$/, field: /^owner_type$/, reason: 'it names the column of the owner that refers to the user or group' },
  { model: /^part\.bomitem$/, field: /^validated$/, reason: 'calculated from the checksum' },
  {
    model: /^stock\.stockitemtestresult$/,
    field: /^test$/,
    reason: 'a result refers to the test of that name',
    matches: (_, storedValue) => typeof storedValue === 'number',
  },
  {
    model: /^part\.bomitem$/,
    field: /^raw_amount$/,
    reason: 'a plain number is stored as the quantity alone',
    matches: (dumpValue, storedValue) => storedValue === null && /^[\d.]+$/.test(String(dumpValue)),
  },
  { model: /^part\.part$/, field: /^bom_validated$/, reason: 'calculated from the checksum' },
  { model: /^part\.(part|bomitem)$/, field: /^(bom_)?checksum$/, reason: 'that of the lines here', matches: () => true },
  {
    model: /^common\.inventreesetting$/,
    field: /^key$/,
    reason: 'the setting has the name of earlier releases',
    matches: (dumpValue, storedValue) => storedValue === `PART_${dumpValue}`,
  },
  { model: /^company\.supplierpart$/, field: /^primary$/, reason: 'its part names it as its default supplier' },
  { model: /^common\.parameter$/, field: /^model_type$/, reason: 'it names the column that refers to the object' },
  {
    model: /^common\.parametertemplate$/,
    field: /^model_type$/,
    reason: 'it is stored as one text',
    matches: (dumpValue, storedValue) => Array.isArray(dumpValue) && dumpValue.join('.') === storedValue,
  },
  {
    model: /./,
    field: /^status_custom_key$/,
    reason: 'responses show the status of an object without a custom state',
    matches: (dumpValue, storedValue) => dumpValue === null && typeof storedValue === 'number',
  },
  { model: /^order\./, field: /^line_int$/, reason: 'calculated from the line number', matches: () => true },
  {
    model: /^stock\.stockitemtracking$/,
    field: /^part$/,
    reason: 'an entry has the part of its item',
    matches: (_, storedValue) => storedValue === null,
  },
  { model: /^common\.attachment$/, field: /^thumbnail$/, reason: 'made from the picture when it is shown' },
  { model: /^common\.inventreecustomuserstatemodel$/, field: /^model$/, reason: 'it follows from the status table' },
  {
    model: /^order\.returnorderlineitem$/,
    field: /^outcome_custom_key$/,
    reason: 'outcomes of returned items have no custom states; the logical outcome is loaded',
  },
  { model: /^order\.transferorderlineitem$/, field: /^discount$/, reason: 'transfer orders have no prices' },
  { model: /^stock\.stockitem$/, field: /^review_needed$/, reason: 'it is not used' },
  { model: /^common\.notesimage$/, field: /^model_(id|type)$/, reason: 'the notes that show a picture name it' },
]

/** The reason why a value was changed on purpose; undefined for damage. */
export const findChangeReason = (model: string, field: string, dumpValue: unknown, storedValue: unknown): string | undefined =>
  changes.find((change) => change.model.test(model) && change.field.test(field) && change.matches?.(dumpValue, storedValue))
    ?.reason

/** The reason why a field is not stored; undefined if it should be. */
export const findOmissionReason = (model: string, field: string): string | undefined =>
  changes.find((change) => change.model.test(model) && change.field.test(field) && !change.matches)?.reason

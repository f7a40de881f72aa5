import { invalidChoice } from '../kit/request/errors.ts'
import { invalid, invalidObject } from '../kit/request/problem.ts'
import { containsHtml } from '../kit/values/html.ts'
import type { ErrorMessage } from '../kit/values/message.ts'
import { valueErrors } from '../kit/values/value-errors.ts'
import type { Wire } from '../wire.ts'
import { builtInChoices, type Choice, type ChoiceLists } from './choices.ts'
import type { IntegerSetting, Setting, ValueOf } from './setting.ts'
import { settingsErrors } from './settings-errors.ts'

/** Context of a response, in addition to the setting itself. */
export type SettingContext = {
  /** Decides which field reports an error, and the result for a value of the wrong type. */
  wire: Pick<Wire, 'lenientSettings' | 'settingChoicesAsLists' | 'extendedFields' | 'typedSettings'>
  /** The current options; without them, the built-in ones. */
  choices?: ChoiceLists
  /** Values fixed at process start, by key: they cannot be changed. */
  fixed?: { readonly [key: string]: string }
}

/** Maximum number of characters of a stored value. */
const MAX_VALUE_LENGTH = 2000
/** A hundred years: a date that many days away is still valid in PostgreSQL. */
const MAX_DAYS = 36_500
const MAX_INTEGER = 2_147_483_647

const YES = new Set(['1', 'y', 'yes', 't', 'true', 'ok', 'on'])
const NO = new Set(['0', 'n', 'no', 'f', 'false', 'off'])

const isYes = (text: string) => YES.has(text.trim().toLowerCase())
const isNo = (text: string) => NO.has(text.trim().toLowerCase())

/** Parses a string as a whole number; undefined if it is not one. */
const parseInteger = (text: string): number | undefined => (/^\s*[+-]?\d+\s*$/.test(text) ? Number(text) + 0 : undefined)

function getLimits(setting: IntegerSetting): { min: number; max: number } {
  const bound = setting.units === 'days' ? MAX_DAYS : MAX_INTEGER
  return { min: setting.min ?? -bound, max: setting.max ?? bound }
}

/** The current options of a setting; empty if any value is allowed. */
export function getChoices(setting: Setting, lists: ChoiceLists = builtInChoices): readonly Choice[] {
  if (setting.type !== 'choice') return []
  return 'choices' in setting ? setting.choices : lists[setting.choicesFrom]
}

/** Converts a value to its stored form, which is also its wire form: always a string. */
export function toStoredText(value: boolean | number | string | null): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return value === null ? '' : String(value)
}

/**
 * Parses a stored value. An invalid one that was not written here (imported, or older than a rule) counts as the default, so that callers
 * always get a value of its type.
 */
export function parseValue<One extends Setting>(setting: One, stored: string | undefined): ValueOf<One> {
  return parse(setting, stored) as ValueOf<One>
}

function parse(setting: Setting, stored: string | undefined): boolean | number | string | null {
  if (stored === undefined) return setting.default
  switch (setting.type) {
    case 'boolean':
      return isYes(stored)
    case 'integer': {
      const number = parseInteger(stored)
      const { min, max } = getLimits(setting)
      return number !== undefined && number >= min && number <= max ? number : setting.default
    }
    case 'model':
      return parseInteger(stored) ?? null
    case 'choice':
      // The code uses a fixed list as a union of its values. An open list may have lost an entry temporarily.
      return 'choices' in setting && !setting.choices.some((choice) => choice.value === stored) ? setting.default : stored
    case 'string':
      return stored
  }
}

/**
 * Validates the `value` of a request, and returns the string to store; rejects with 400.
 *
 * InvenTree clients (`lenientSettings`) expect that a boolean accepts any string, that an unreadable integer becomes the default, and
 * that a value outside its limits or its list is an error of the object.
 */
export function validateValue(key: string, setting: Setting, value: unknown, context: SettingContext): string {
  const text = validateText(setting, value)
  if (context.fixed?.[key] !== undefined && context.fixed[key] !== text)
    throw settingError(settingsErrors.setting_fixed, context, true)
  switch (setting.type) {
    case 'boolean':
      if (!context.wire.lenientSettings && !isYes(text) && !isNo(text)) throw settingError(valueErrors.boolean_expected, context)
      return toStoredText(isYes(text))
    case 'integer':
      return toStoredText(validateInteger(setting, text, context))
    case 'model': {
      const number = parseInteger(text)
      if (text !== '' && (number === undefined || number < 1 || number > MAX_INTEGER))
        throw settingError(valueErrors.integer_expected, context)
      return toStoredText(number ?? null)
    }
    case 'choice': {
      const choices = getChoices(setting, context.choices)
      if (choices.length > 0 && !choices.some((choice) => choice.value === text))
        throw settingError(invalidChoice(text), context, true)
      return text
    }
    case 'string': {
      const error = setting.check?.(text)
      if (error !== undefined) throw settingError(error, context, setting.reportsOnObject)
      return text
    }
  }
}

/** Converts a request's value to a string, for any setting: it must be of a storable type, and not too long. */
function validateText(setting: Setting, value: unknown): string {
  if (value === undefined) throw invalid({ value: [valueErrors.required] })
  if (value === null) throw invalid({ value: [valueErrors.null_not_allowed] })
  // The web interface sends a number for a numeric value; a string setting rejects numbers.
  const scalar =
    typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && setting.type !== 'string')
  if (!scalar) throw invalid({ value: [valueErrors.text_expected] })
  const isMultiline = 'isMultiline' in setting && setting.isMultiline === true
  const storedText = toStoredText(value as string | boolean | number)
  const text = isMultiline ? storedText.replaceAll('\r\n', '\n') : storedText
  if ([...text].length > MAX_VALUE_LENGTH) throw invalid({ value: [valueErrors.max_length({ max_length: MAX_VALUE_LENGTH })] })
  if (containsHtml(text)) throw invalid({ value: [valueErrors.html_not_allowed] })
  if (/\p{Cc}/u.test(isMultiline ? text.replaceAll('\n', '') : text))
    throw invalid({ value: [settingsErrors.control_characters_not_allowed] })
  return text
}

function validateInteger(setting: IntegerSetting, text: string, context: SettingContext): number | null {
  const number = parseInteger(text)
  if (number === undefined) {
    if (setting.default === null && text === '') return null
    if (setting.default === null || !context.wire.lenientSettings) throw settingError(valueErrors.integer_expected, context)
    return setting.default
  }
  const { min, max } = getLimits(setting)
  if (number < min) throw settingError(valueErrors.min_value({ min_value: min }), context, true)
  if (number > max) throw settingError(valueErrors.max_value({ max_value: max }), context, true)
  return number
}

/** Creates an error 400 on `value`; or on the object, where InvenTree clients expect it. */
const settingError = (message: ErrorMessage, context: SettingContext, onObject = false) =>
  onObject && context.wire.lenientSettings ? invalidObject(message) : invalid({ value: [message] })

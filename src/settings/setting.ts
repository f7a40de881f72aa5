import type { ErrorMessage } from '../kit/values/message.ts'
import type { Choice, ChoiceSource } from './choices.ts'

/** The code that a setting affects if not the service: the console, which reads it at `/api/web/settings/`, or only other clients, such as the mobile app. */
export type SettingUser = 'console' | 'clients'

type SettingBase = {
  /** The code that it affects, if not the service. A test compares it with the code that reads the setting. */
  usedBy?: SettingUser
  /** The name that InvenTree clients show (docs/decisions.md#names-of-settings). */
  name: string
  /**
   * Effect of the setting, in our own words, with its unit and the meaning of 0 or an empty string. A setting that only affects clients
   * has them as its subject (docs/decisions.md#settings-that-clients-obey); one for a missing feature says so, and that it is only stored.
   */
  description: string
  /** Whether the value is returned as `***`, whatever is stored. */
  confidential?: boolean
  /** Whether it takes effect only at the next start of the service. */
  needsRestart?: boolean
  /** Whether only a superuser can change it, because it decides who has an account and with which permissions; such changes are recorded. */
  superuserOnly?: boolean
}

/** On or off. */
export type BooleanSetting = SettingBase & { type: 'boolean'; default: boolean }

/** A whole number; with `null` as its default it may also be empty. */
export type IntegerSetting<Default extends number | null = number | null> = SettingBase & {
  type: 'integer'
  default: Default
  min?: number
  max?: number
  /** Unit of the value, such as `days` or `MB`. */
  units?: string
}

/** Any string, or a string that `check` accepts. */
export type StringSetting = SettingBase & {
  type: 'string'
  default: string
  /** Returns the error of a value, if any. */
  check?: (text: string) => ErrorMessage | undefined
  /** Generates the value of a row that is created without one. */
  generate?: () => string
  /** Whether it has several lines, each ending with `\n`; other settings have no line breaks. */
  isMultiline?: boolean
  /** Whether InvenTree clients expect an error of `check` under `non_field_errors`, not under `value`. */
  reportsOnObject?: boolean
}

/** One of a fixed list. */
export type ChoiceSetting<Value extends string = string> = SettingBase & {
  type: 'choice'
  default: Value
  choices: readonly Choice<Value>[]
}

/** One of a list that is only known while the service runs. */
export type OpenChoiceSetting = SettingBase & { type: 'choice'; default: string; choicesFrom: ChoiceSource }

/** The primary key of an object, or none. */
export type ModelSetting = SettingBase & { type: 'model'; default: null; model: string; apiUrl: string }

/** Definition of one setting. */
export type Setting = BooleanSetting | IntegerSetting | StringSetting | ChoiceSetting | OpenChoiceSetting | ModelSetting

/** Settings by key. */
export type Settings = { readonly [key: string]: Setting }

/** Type of a setting's value. */
export type ValueOf<One extends Setting> = One extends BooleanSetting
  ? boolean
  : One extends IntegerSetting<number>
    ? number
    : One extends IntegerSetting | ModelSetting
      ? number | null
      : One extends ChoiceSetting<infer Value>
        ? Value
        : string

/** Value types of a group of settings, by key. */
export type ValuesOf<Group extends Settings> = { [Key in keyof Group]: ValueOf<Group[Key]> }

/** Defines a boolean setting. */
export const flag = (
  initial: boolean,
  name: string,
  description: string,
  extra: Pick<SettingBase, 'needsRestart' | 'superuserOnly' | 'usedBy'> = {},
): BooleanSetting => ({
  type: 'boolean',
  default: initial,
  name,
  description,
  ...extra,
})

/** Defines a whole number. */
export const integer = (
  initial: number,
  name: string,
  description: string,
  limits: Pick<IntegerSetting, 'min' | 'max' | 'units'> & Pick<SettingBase, 'usedBy'> = {},
): IntegerSetting<number> => ({ type: 'integer', default: initial, name, description, ...limits })

/** Defines a whole number that may be empty, which is the default. */
export const optionalInteger = (
  name: string,
  description: string,
  limits: Pick<IntegerSetting, 'min' | 'max'> = {},
): IntegerSetting<null> => ({ type: 'integer', default: null, name, description, ...limits })

/** Defines a string setting. */
export const text = (
  initial: string,
  name: string,
  description: string,
  rules: Pick<StringSetting, 'check' | 'generate' | 'reportsOnObject' | 'isMultiline'> &
    Pick<SettingBase, 'superuserOnly' | 'usedBy'> = {},
): StringSetting => ({ type: 'string', default: initial, name, description, ...rules })

/** Defines a choice from a fixed list. */
export const choice = <const Value extends string>(
  initial: NoInfer<Value>,
  choices: readonly Choice<Value>[],
  name: string,
  description: string,
  extra: Pick<SettingBase, 'usedBy'> = {},
): ChoiceSetting<Value> => ({ type: 'choice', default: initial, choices, name, description, ...extra })

/** Defines a choice from a list that is only known while the service runs. */
export const choiceFrom = (
  choicesFrom: ChoiceSource,
  initial: string,
  name: string,
  description: string,
  extra: Pick<SettingBase, 'superuserOnly' | 'usedBy'> = {},
): OpenChoiceSetting => ({ type: 'choice', default: initial, choicesFrom, name, description, ...extra })

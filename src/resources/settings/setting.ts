import type { ErrorMessage } from '../../kit/values/message.ts'
import type { Choice, ChoiceSource } from './choices.ts'

type Described = {
  /** The heading that existing clients know it by (decision 49). */
  name: string
  /**
   * What it does, in our own words, with its unit and what 0 or an empty text means. What only interfaces obey has them as its
   * subject (decision 51); what belongs to something that this service does not have says so, and that it is only stored.
   */
  description: string
  /** Answered as `***`, whatever is stored. */
  confidential?: boolean
  /** Takes effect at the next start of the service. */
  needsRestart?: boolean
  /** Decides who has an account and with which rights: only a superuser changes it (decision 40), and that is recorded. */
  superuserOnly?: boolean
}

/** On or off. */
export type BooleanSetting = Described & { type: 'boolean'; default: boolean }

/** A whole number; with `null` as its default it may also be empty. */
export type IntegerSetting<Default extends number | null = number | null> = Described & {
  type: 'integer'
  default: Default
  min?: number
  max?: number
  /** `days` and `MB` are known; others are shown. */
  units?: string
}

/** Free text, or text that `check` has no objection to. */
export type StringSetting = Described & {
  type: 'string'
  default: string
  /** What is wrong with a text, if anything is. */
  check?: (text: string) => ErrorMessage | undefined
  /** Existing clients find an objection of `check` under `non_field_errors`, not under `value`. */
  objectsAsWhole?: boolean
}

/** One of a fixed list. */
export type ChoiceSetting<Value extends string = string> = Described & {
  type: 'choice'
  default: Value
  choices: readonly Choice<Value>[]
}

/** One of a list that is known only while the service runs. */
export type OpenChoiceSetting = Described & { type: 'choice'; default: string; choicesFrom: ChoiceSource }

/** The primary key of an object, or none. */
export type ModelSetting = Described & { type: 'model'; default: null; model: string; apiUrl: string }

/** What is known about one setting before anything is stored for it. */
export type Setting = BooleanSetting | IntegerSetting | StringSetting | ChoiceSetting | OpenChoiceSetting | ModelSetting

/** Settings by key. */
export type Settings = { readonly [key: string]: Setting }

/** The type of a setting's value in the code. */
export type ValueOf<One extends Setting> = One extends BooleanSetting
  ? boolean
  : One extends IntegerSetting<number>
    ? number
    : One extends IntegerSetting | ModelSetting
      ? number | null
      : One extends ChoiceSetting<infer Value>
        ? Value
        : string

/** The value of each key of a group of settings. */
export type ValuesOf<Group extends Settings> = { [Key in keyof Group]: ValueOf<Group[Key]> }

/** Defines a setting that is on or off. */
export const flag = (
  initial: boolean,
  name: string,
  description: string,
  extra: Pick<Described, 'needsRestart' | 'superuserOnly'> = {},
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
  limits: Pick<IntegerSetting, 'min' | 'max' | 'units'> = {},
): IntegerSetting<number> => ({ type: 'integer', default: initial, name, description, ...limits })

/** Defines a whole number that may be empty, and is so at first. */
export const optionalInteger = (name: string, description: string): IntegerSetting<null> => ({
  type: 'integer',
  default: null,
  name,
  description,
})

/** Defines a text. */
export const text = (
  initial: string,
  name: string,
  description: string,
  rules: Pick<StringSetting, 'check' | 'objectsAsWhole'> = {},
): StringSetting => ({ type: 'string', default: initial, name, description, ...rules })

/** Defines a choice from a fixed list. */
export const choice = <const Value extends string>(
  initial: NoInfer<Value>,
  choices: readonly Choice<Value>[],
  name: string,
  description: string,
): ChoiceSetting<Value> => ({ type: 'choice', default: initial, choices, name, description })

/** Defines a choice from a list that is known only while the service runs. */
export const choiceFrom = (
  choicesFrom: ChoiceSource,
  initial: string,
  name: string,
  description: string,
  extra: Pick<Described, 'superuserOnly'> = {},
): OpenChoiceSetting => ({ type: 'choice', default: initial, choicesFrom, name, description, ...extra })

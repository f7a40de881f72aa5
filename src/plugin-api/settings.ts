/** What every setting says of itself. */
type Described = {
  /** A few words, shown as its heading. */
  name: string
  /** One sentence that says what it does. */
  description: string
  /** The plugin does nothing useful without it. Storing an empty value is allowed all the same. */
  required?: boolean
  /** Never shown: its value is answered as `***`. */
  protected?: boolean
}

/** One setting of a plugin. Values are kept as texts, and read with their type (`Context.settings`). */
export type SettingDefinition =
  | (Described & { type: 'boolean'; default: boolean })
  | (Described & { type: 'integer'; default: number; min?: number; max?: number; units?: string })
  | (Described & { type: 'string'; default: string })
  | (Described & { type: 'choice'; default: string; choices: readonly { value: string; display_name: string }[] })
  /** The primary key of an object: `company.company` under `/api/company/`. */
  | (Described & { type: 'model'; model: string; apiUrl: string })

/** Settings by key: capitals, digits and underscores, 50 characters at most. */
export type SettingDefinitions = { readonly [key: string]: SettingDefinition }

/** The type of a setting's value. A reference that is not set is null. */
export type SettingValue<Definition extends SettingDefinition> = Definition extends { type: 'boolean' }
  ? boolean
  : Definition extends { type: 'integer' }
    ? number
    : Definition extends { type: 'model' }
      ? number | null
      : string

/** The description of a setting. */
type SettingBase = {
  /** A short name. */
  name: string
  /** One sentence about its effect. */
  description: string
  /** Whether the plugin needs it in order to work. An empty value can be stored nevertheless. */
  required?: boolean
  /** Whether it is secret: responses show its value as `***`. */
  protected?: boolean
}

/** A setting of a plugin. Values are stored as strings, and read with their type (`Context.settings`). */
export type SettingDefinition =
  | (SettingBase & { type: 'boolean'; default: boolean })
  | (SettingBase & { type: 'integer'; default: number; min?: number; max?: number; units?: string })
  | (SettingBase & { type: 'string'; default: string })
  | (SettingBase & { type: 'choice'; default: string; choices: readonly { value: string; display_name: string }[] })
  /** The primary key of an object: `company.company` under `/api/company/`. */
  | (SettingBase & { type: 'model'; model: string; apiUrl: string })

/** Settings by key: upper-case letters, digits and underscores, at most 50 characters. */
export type SettingDefinitions = { readonly [key: string]: SettingDefinition }

/** The type of a setting's value. An unset reference is null. */
export type SettingValue<Definition extends SettingDefinition> = Definition extends { type: 'boolean' }
  ? boolean
  : Definition extends { type: 'integer' }
    ? number
    : Definition extends { type: 'model' }
      ? number | null
      : string

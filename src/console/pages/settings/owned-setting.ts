/** A setting as its row needs it: a global one, or one of a plugin or a machine. */
export type RowSetting = {
  key: string
  name: string
  description: string
  type: 'boolean' | 'integer' | 'string' | 'choice' | 'model'
  units: string
  choices: readonly { value: string; display_name: string }[]
  /** A text: `True` or `False` for a boolean. */
  value: string
  default: string
  is_changed: boolean
  is_for_superusers?: boolean
}

/** A setting of a plugin or a machine, as in `/api/web/plugins/{plugin}/settings/`. */
export type OwnedSetting = RowSetting & {
  model: string | null
  api_url: string | null
  is_secret: boolean
  required: boolean
}

/** Names and descriptions of the settings of one owner in another language, by key; of its choices by value. */
export type SettingTexts = Readonly<
  Record<string, { name: string; description: string; choices?: Readonly<Record<string, string>> }>
>

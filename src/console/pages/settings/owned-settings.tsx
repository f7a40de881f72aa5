import { useSignal } from '@preact/signals'
import { Combobox, type Source } from '../../kit/form/combobox.tsx'
import { getSource } from '../../kit/form/reference.ts'
import { t } from '../../kit/language/language.ts'
import type { OwnedSetting, SettingTexts } from './owned-setting.ts'
import { SettingRow } from './system/setting-row.tsx'

/** Stands for a stored secret, which is never shown. */
const STORED_SECRET = '***'

type Row = { pk: number } & Record<string, unknown>

/** Objects that settings refer to, by the names of their models. */
const SOURCES = {
  'auth.user': 'user',
  'build.build': 'build',
  'company.company': 'company',
  'order.purchaseorder': 'purchaseOrder',
  'order.salesorder': 'salesOrder',
  'part.part': 'part',
  'part.partcategory': 'category',
  'stock.stockitem': 'stockItem',
  'stock.stocklocation': 'location',
} as const

const isKnownModel = (model: string): model is keyof typeof SOURCES => Object.hasOwn(SOURCES, model)

/** The list from which the value of a setting is selected. */
const findSource = ({ model, api_url }: OwnedSetting): Source<Row> =>
  model !== null && isKnownModel(model)
    ? getSource(SOURCES[model])
    : { url: String(api_url), getTitle: ({ pk, name, reference }) => String(name ?? reference ?? pk) }

type Properties<Setting> = {
  settings: readonly Setting[]
  texts: SettingTexts
  isLocked: boolean
  /** Stores a value. @throws ApiError */
  save: (setting: Setting, value: string) => Promise<unknown>
  onSaved: () => void
}

/** The settings of a plugin or a machine. A secret is entered, and never shown. */
export function OwnedSettings<Setting extends OwnedSetting>({ settings, texts, isLocked, save, onSaved }: Properties<Setting>) {
  return (
    <div class="setting-rows">
      {settings.map((setting) => {
        const { key, name, description, is_secret, is_changed, required, type, value } = setting
        const translated = texts[key]
        const isEmpty = is_secret ? !is_changed : value === ''
        const help = translated?.description ?? description
        return (
          <SettingRow
            key={key}
            setting={{
              ...setting,
              value: is_secret && is_changed ? STORED_SECRET : value,
              choices: setting.choices.map((choice) => ({
                ...choice,
                display_name: translated?.choices?.[choice.value] ?? choice.display_name,
              })),
            }}
            owner={{
              texts: {
                name: translated?.name ?? name,
                description: required && isEmpty ? `${help} ${t('settings.required')}` : help,
              },
              isLocked,
              save: (newValue) => save(setting, newValue),
              control: is_secret
                ? (attributes, store) => <SecretValue attributes={attributes} isStored={is_changed} save={store} />
                : type === 'model'
                  ? (attributes, store) => (
                      <Combobox
                        source={findSource(setting)}
                        value={value}
                        onPick={(row) => store(row ? String(row.pk) : '')}
                        attributes={attributes}
                      />
                    )
                  : undefined,
            }}
            onSaved={onSaved}
          />
        )
      })}
    </div>
  )
}

type SecretProperties = { attributes: Record<string, unknown>; isStored: boolean; save: (value: string) => void }

/** A new value for a secret. Without one, the stored secret stays. */
function SecretValue({ attributes, isStored, save }: SecretProperties) {
  const typedText = useSignal('')
  const send = () => {
    if (typedText.value === '') return
    save(typedText.value)
    typedText.value = ''
  }
  return (
    <input
      {...attributes}
      type="password"
      autocomplete="new-password"
      maxLength={2000}
      placeholder={t(isStored ? 'settings.secret-stored' : 'settings.secret-empty')}
      value={typedText.value}
      onInput={({ currentTarget }) => {
        typedText.value = currentTarget.value
      }}
      onBlur={send}
      onKeyDown={(event) => {
        if (event.key === 'Enter') send()
        if (event.key === 'Escape') typedText.value = ''
      }}
    />
  )
}

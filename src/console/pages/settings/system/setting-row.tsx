import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId } from 'preact/hooks'
import { t } from '../../../kit/language/language.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { showToast } from '../../../kit/page/toast.tsx'
import { ApiError } from '../../../kit/service/api.ts'
import type { RowSetting } from '../owned-setting.ts'
import { AskEnforceMfa, ENFORCE_MFA } from './ask-enforce-mfa.tsx'
import {
  canChangeSetting,
  describeSetting,
  formatSettingValue,
  type GlobalSetting,
  nameChoice,
  nameUnits,
  saveSetting,
} from './global-setting.ts'

/** Differences of the settings of a plugin or a machine. */
export type SettingOwner = {
  /** Its name and description in the reader's language. */
  texts: { name: string; description: string }
  isLocked: boolean
  /** Stores a value. @throws ApiError */
  save: (value: string) => Promise<unknown>
  /** A control of its own, such as for a secret; undefined for that of its type. */
  control?: (attributes: Record<string, unknown>, save: (value: string) => void) => ComponentChildren
}

type ListProperties = {
  rows: readonly GlobalSetting[]
  onSaved: () => void
  /** Content below the description that depends on the text in the field. */
  preview?: (setting: GlobalSetting, typed: string) => ComponentChildren
}

/** Several global settings. */
export const SettingRows = ({ rows, onSaved, preview }: ListProperties) => (
  <div class="setting-rows">
    {rows.map((setting) => (
      <SettingRow
        key={setting.key}
        setting={setting}
        onSaved={onSaved}
        preview={preview && ((typed) => preview(setting, typed))}
      />
    ))}
  </div>
)

type Properties = {
  setting: RowSetting
  owner?: SettingOwner
  onSaved: () => void
  preview?: (typed: string) => ComponentChildren
}

/** A setting: its name, what it does, and a control that saves the value when it changes; one for text when it is left, or by Enter. */
export function SettingRow({ setting, owner, onSaved, preview }: Properties) {
  const { key, type, units, value, is_changed } = setting
  const { name, description } = owner?.texts ?? describeSetting(setting)
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const id = useId()
  const typedValue = useSignal(value)
  useEffect(() => {
    typedValue.value = value
  }, [value])
  useEffect(() => {
    problem.value = undefined
  }, [typedValue.value])
  const isLocked = owner?.isLocked ?? !canChangeSetting(setting)
  const isAsking = useSignal(false)
  async function save(newValue: string, isConfirmed = false) {
    if (newValue === value || isBusy.value) return
    if (!owner && key === ENFORCE_MFA && newValue === 'True' && !isConfirmed) {
      isAsking.value = true
      return
    }
    isBusy.value = true
    try {
      await (owner ? owner.save(newValue) : saveSetting(key, newValue))
      problem.value = undefined
      showToast(t('settings.saved', { name }))
      onSaved()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      problem.value = error.text
    } finally {
      isBusy.value = false
    }
  }
  const control = { id, disabled: isLocked, 'aria-describedby': `${id}-about`, 'aria-invalid': problem.value ? true : undefined }
  return (
    <div class="setting">
      <div class="setting-text">
        <label for={id}>{name}</label>
        <p id={`${id}-about`} class="help">
          {description.split('`').map((text, index) => (index % 2 === 1 ? <code key={text}>{text}</code> : text))}
        </p>
        {/* the error of the preview is that of the rejected value */}
        {!problem.value && preview?.(typedValue.value)}
        {isAsking.value && (
          <AskEnforceMfa
            onConfirm={() => save('True', true)}
            onClose={() => {
              isAsking.value = false
            }}
          />
        )}
        {isLocked && !owner && <p class="help">{t('settings.for-superusers')}</p>}
        {problem.value && (
          <p class="error" role="alert">
            {problem.value}
          </p>
        )}
      </div>
      <div class="setting-value">
        {owner?.control?.(control, save) ??
          (type === 'boolean' ? (
            <input
              {...control}
              type="checkbox"
              checked={value === 'True'}
              onChange={() => save(value === 'True' ? 'False' : 'True')}
            />
          ) : type === 'choice' && setting.choices.length > 0 ? (
            <select {...control} value={value} onChange={({ currentTarget }) => save(currentTarget.value)}>
              {!setting.choices.some((choice) => choice.value === value) && <option value={value}>{value}</option>}
              {setting.choices.map((choice) => (
                <option key={choice.value} value={choice.value}>
                  {nameChoice(setting, choice.value) || t('settings.empty')}
                </option>
              ))}
            </select>
          ) : MULTILINE_KEYS.has(key) ? (
            <LinesValue control={control} setting={setting} typed={typedValue} save={save} />
          ) : (
            <TextValue control={control} setting={setting} typed={typedValue} save={save} />
          ))}
        {units && <span class="quiet-text">{nameUnits(units)}</span>}
        {is_changed && !isLocked && (
          <button
            type="button"
            class="quiet icon-only"
            title={t('settings.reset', { value: formatSettingValue(setting, setting.default) })}
            aria-label={`${name}: ${t('settings.reset', { value: formatSettingValue(setting, setting.default) })}`}
            onClick={() => save(setting.default)}
          >
            <Icon name="undo" />
          </button>
        )}
      </div>
    </div>
  )
}

/** Settings whose values have several lines. */
const MULTILINE_KEYS = new Set(['DOCUMENT_ADDRESS', 'DOCUMENT_CONTACT', 'DOCUMENT_FOOTER'])

type TextProperties = { control: object; setting: RowSetting; typed: Signal<string>; save: (value: string) => void }

/** A text or a number, which is saved when the field is left or Enter is pressed; Escape restores the stored value. */
const TextValue = ({ control, setting: { value, type }, typed, save }: TextProperties) => (
  <input
    {...control}
    type="text"
    inputMode={type === 'integer' ? 'numeric' : undefined}
    class={type === 'integer' ? 'short' : undefined}
    maxLength={2000}
    value={typed.value}
    onInput={({ currentTarget }) => {
      typed.value = currentTarget.value
    }}
    onBlur={() => save(typed.value)}
    onKeyDown={(event) => {
      if (event.key === 'Enter') save(typed.value)
      if (event.key === 'Escape') typed.value = value
    }}
  />
)

/** A text with several lines, which is saved when the field is left; Escape restores the stored value. */
const LinesValue = ({ control, setting: { value }, typed, save }: TextProperties) => (
  <textarea
    {...control}
    rows={4}
    maxLength={2000}
    value={typed.value}
    onInput={({ currentTarget }) => {
      typed.value = currentTarget.value
    }}
    onBlur={() => save(typed.value)}
    onKeyDown={(event) => {
      if (event.key === 'Escape') typed.value = value
    }}
  />
)

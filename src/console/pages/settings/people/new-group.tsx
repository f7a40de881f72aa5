import metadata from 'metadata:/api/user/group/'
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { Field } from '../../../kit/form/form.tsx'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import { t } from '../../../kit/language/language.ts'
import { navigate } from '../../../kit/navigation/router.ts'
import { attempt } from '../../../kit/page/toast.tsx'
import { post } from '../../../kit/service/api.ts'
import { applyPreset, PRESET_KEYS, PRESET_NAMES, type PresetName } from './presets.ts'
import type { Group } from './rights.ts'

/** Creates a group with the permissions of a preset, and opens it. */
export function NewGroup({ onClose }: { onClose: () => void }) {
  const preset = useSignal<PresetName>('read-only')
  const id = useId()
  return (
    <FormDialog
      title={t('people.new-group')}
      metadata={metadata}
      start={{ name: '' }}
      names={['name', 'preset']}
      without="rest"
      customFields={(form) => ({
        name: () => <Field form={form} name="name" help={null} autofocus />,
        preset: () => (
          <div class="field">
            <label for={id}>{t('people.rights')}</label>
            <select
              id={id}
              aria-describedby={`${id}-about`}
              value={preset.value}
              onChange={({ currentTarget }) => {
                preset.value = currentTarget.value as PresetName
              }}
            >
              {PRESET_NAMES.map((name) => (
                <option key={name} value={name}>
                  {t(PRESET_KEYS[name].name)}
                </option>
              ))}
            </select>
            <p class="help" id={`${id}-about`}>
              {t(PRESET_KEYS[preset.value].about)} {t('people.preset.about')}
            </p>
          </div>
        ),
      })}
      send={(values, key) => post<Group>(metadata.path, values, key)}
      onDone={async ({ body }) => {
        // the group exists: its page shows its permissions
        await attempt(() => applyPreset(body.pk, preset.value))
        navigate(`/settings/groups/${body.pk}/`)
      }}
      onClose={onClose}
    />
  )
}

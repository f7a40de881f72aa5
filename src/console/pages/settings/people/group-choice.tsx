import { Field, type Form } from '../../../kit/form/form.tsx'
import { t } from '../../../kit/language/language.ts'
import type { GroupName } from './people.ts'

/** The maximum number of groups that a form offers. */
export const MAX_GROUPS = 250
/** The list of all groups, for `GroupChoice`. */
export const GROUPS_URL = `/api/user/group/?ordering=name&limit=${MAX_GROUPS}`

/** The groups of an account: a checkbox for each. */
export function GroupChoice({ form, groups }: { form: Form; groups: readonly GroupName[] }) {
  const selected = (form.values.value.group_ids as number[] | undefined) ?? []
  const toggle = (pk: number, isSelected: boolean) => {
    const group_ids = isSelected ? [...selected, pk] : selected.filter((other) => other !== pk)
    form.values.value = { ...form.values.value, group_ids }
  }
  return (
    <Field
      form={form}
      name="group_ids"
      title={t('people.groups')}
      help={groups.length === 0 ? t('people.no-groups') : t('people.groups.help')}
      control={({ id, 'aria-describedby': describedBy }) => (
        <fieldset id={String(id)} class="group-choice" aria-label={t('people.groups')} aria-describedby={describedBy as string}>
          {groups.map(({ pk, name }) => (
            <label key={pk} class="checkbox-line">
              <input
                type="checkbox"
                checked={selected.includes(pk)}
                onChange={(event) => toggle(pk, event.currentTarget.checked)}
              />
              {name}
            </label>
          ))}
        </fieldset>
      )}
    />
  )
}

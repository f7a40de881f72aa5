import { useSignal } from '@preact/signals'
import { t } from '../../../kit/language/language.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { attempt } from '../../../kit/page/toast.tsx'
import { change } from '../../../kit/service/api.ts'
import { isSuperuser } from '../settings-pages.ts'
import { getRoleName, RIGHT_KEYS, ROLE_KEYS } from './people.ts'
import { RIGHT_FIELDS, type RightField, type RuleSet } from './rights.ts'

type Properties = { roles: readonly RuleSet[]; group: string; onChange: () => void }

/** The permissions of a group: a row for each role, a column for each permission. A superuser switches them, which applies immediately. */
export function RightsMatrix({ roles, group, onChange }: Properties) {
  const busy = useSignal<number | undefined>(undefined)
  const set = async (role: RuleSet, field: RightField, isGranted: boolean) => {
    busy.value = role.pk
    // revoking a permission revokes those that include it: without the permission to view, none remains
    await attempt(() => change(`/api/user/ruleset/${role.pk}/`, revokeIncluding(field, isGranted), undefined))
    busy.value = undefined
    onChange()
  }
  return (
    <table class="rights-matrix" aria-label={t('people.rights-of', { group })}>
      <thead>
        <tr>
          <th scope="col">{t('people.role')}</th>
          {RIGHT_FIELDS.map((field) => (
            <th key={field} scope="col">
              {t(RIGHT_KEYS[field])}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {roles.map((role) => (
          <tr key={role.pk}>
            <th scope="row">
              {getRoleName(role.name)}
              {ROLE_KEYS[role.name] && <small>{t((ROLE_KEYS[role.name] as { about: 'people.role.admin.about' }).about)}</small>}
            </th>
            {RIGHT_FIELDS.map((field) => (
              <td key={field}>
                {isSuperuser() ? (
                  <input
                    type="checkbox"
                    aria-label={`${getRoleName(role.name)}: ${t(RIGHT_KEYS[field])}`}
                    checked={role[field]}
                    disabled={busy.value === role.pk}
                    onChange={(event) => {
                      const { checked } = event.currentTarget
                      // shows what is stored until the change is
                      event.currentTarget.checked = role[field]
                      void set(role, field, checked)
                    }}
                  />
                ) : role[field] ? (
                  <>
                    <Icon name="check" />
                    <span class="visually-hidden">{t('yes')}</span>
                  </>
                ) : (
                  <span class="quiet-text">
                    <span aria-hidden="true">–</span>
                    <span class="visually-hidden">{t('no')}</span>
                  </span>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The change of a permission, with those that include it when it is revoked: otherwise the service would grant it again. */
function revokeIncluding(field: RightField, isGranted: boolean): Partial<Record<RightField, boolean>> {
  if (isGranted) return { [field]: true }
  if (field === 'can_view') return { can_view: false, can_add: false, can_change: false, can_delete: false }
  if (field === 'can_change') return { can_change: false, can_add: false, can_delete: false }
  return { [field]: false }
}

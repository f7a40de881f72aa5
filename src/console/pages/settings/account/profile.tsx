import metadata from 'metadata:/api/auth/user/'
import { useSignal } from '@preact/signals'
import { Edit } from '../../../kit/form/edit.tsx'
import { label, t } from '../../../kit/language/language.ts'
import { useGet } from '../../../kit/page/data.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { DescriptionList, Panel } from '../../../kit/page/page.tsx'
import { startSession } from '../../../kit/service/session.ts'
import { SettingsPage } from '../settings-page.tsx'
import { EmailAddresses } from './email-addresses.tsx'
import { PasswordPanel } from './password-panel.tsx'

type OwnAccount = { username: string; first_name: string; last_name: string }

/** `/settings/profile/`: the name, the email addresses and the password of the account. */
export function ProfilePage() {
  return (
    <SettingsPage title={t('account.profile')}>
      <NamePanel />
      <EmailAddresses />
      <PasswordPanel />
    </SettingsPage>
  )
}

function NamePanel() {
  const { data, error, reload } = useGet<OwnAccount>(metadata.path)
  const isEditing = useSignal(false)
  const setEditing = (isOpen: boolean) => () => {
    isEditing.value = isOpen
  }
  if (error) return <LoadError error={error} />
  if (!data) return null
  const { username, first_name, last_name } = data.body
  if (isEditing.value)
    return (
      <Panel title={t('account.name')}>
        <Edit
          metadata={metadata}
          url={metadata.path}
          start={data}
          names={['username', 'first_name', 'last_name']}
          without="rest"
          onSaved={() => {
            isEditing.value = false
            reload()
            // the header shows the name
            void startSession()
          }}
          onCancel={setEditing(false)}
        />
      </Panel>
    )
  return (
    <Panel
      title={t('account.name')}
      actions={
        <button type="button" onClick={setEditing(true)}>
          <Icon name="edit" />
          {t('account.edit-name')}
        </button>
      }
    >
      <DescriptionList
        rows={[
          [label('username'), username],
          [t('account.first-name'), first_name],
          [t('account.last-name'), last_name],
        ]}
      />
    </Panel>
  )
}

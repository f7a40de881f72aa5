import metadata from 'metadata:/api/user/security-event/'
import { formatDateTime, t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { DescriptionList, type PageProperties, Panel } from '../../../kit/page/page.tsx'
import { formatDevice } from '../account/device.ts'
import { getSecurityEventName } from '../account/security-event.ts'
import { SettingsPage } from '../settings-page.tsx'
import { isStaff } from '../settings-pages.ts'
import { getActorName, listDetails, type SecurityEvent, useSettingNames } from './event-details.ts'

/** `/settings/security-events/:pk/`: one security event, with what it changed. */
export const SecurityEventPage = ({ params }: PageProperties) =>
  isStaff() ? (
    <LoadedEvent key={params.pk} pk={Number(params.pk)} />
  ) : (
    <SettingsPage title={t('people.event')}>{null}</SettingsPage>
  )

function LoadedEvent({ pk }: { pk: number }) {
  const { data, error } = useRead<{ event: SecurityEvent }>({ event: `${metadata.path}${pk}/?actor_detail=true` })
  useSettingNames()
  const crumbs = [{ text: t('people.events'), to: '/settings/security-events/' }]
  if (error) return <LoadError error={error} crumbs={crumbs} />
  if (!data) return null
  const event = data.event.body
  const { facts, changes } = listDetails(event.details)
  const setting = event.details?.key as string | undefined
  return (
    <SettingsPage title={getSecurityEventName(event.kind)} crumbs={crumbs}>
      <Panel>
        <DescriptionList
          rows={[
            [t('account.time'), formatDateTime(event.created)],
            [
              t('people.account'),
              event.user === null ? event.username : <a href={`/settings/users/${event.user}/`}>{event.username}</a>,
            ],
            [t('people.by'), getActorName(event)],
            [t('account.network-address'), event.address],
            [t('account.device'), formatDevice(event.user_agent) || event.user_agent],
            ...facts.map(({ name, value }) => [name, value] as const),
          ]}
        />
      </Panel>
      {changes.length > 0 && (
        <Panel
          title={t('people.changed')}
          actions={
            setting !== undefined && (
              <a class="button" href={`/settings/system/?search=${setting}`}>
                {t('people.open-setting')}
              </a>
            )
          }
        >
          <div class="short-table">
            <table class="event-changes" aria-label={t('people.changed')}>
              <thead>
                <tr>
                  <th scope="col">{t('people.field')}</th>
                  <th scope="col">{t('people.before')}</th>
                  <th scope="col">{t('people.after')}</th>
                </tr>
              </thead>
              <tbody>
                {changes.map(({ name, before, after }) => (
                  <tr key={name}>
                    <td>{name}</td>
                    <td>{before}</td>
                    <td>{after}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Panel>
      )}
    </SettingsPage>
  )
}

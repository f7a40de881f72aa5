import { formatBytes, formatDateTime, formatNumber, t } from '../../../kit/language/language.ts'
import { routeLocation, setQuery } from '../../../kit/navigation/router.ts'
import { useGet, useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { DescriptionList, Panel } from '../../../kit/page/page.tsx'
import { ShortTable } from '../../../kit/table/short-table.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { isStaff } from '../settings-pages.ts'

type AboutService = {
  version: string
  api_version: number
  node: string
  platform: string
  started: string
  license: string
  database: { version: string; is_included: boolean; size: number; migration: string }
  storage: {
    type: 'folder' | 'bucket'
    location: string | null
    files: number | null
    size: number | null
    free: number | null
  }
}

/** `/settings/about/`: what runs here, with its database and its storage. The URL holds whether the packages are shown. */
export const AboutPage = () => <SettingsPage title={t('operation.about')}>{isStaff() && <AboutContent />}</SettingsPage>

function AboutContent() {
  const { data, error } = useRead<{ about: AboutService }>({ about: '/api/web/about/' })
  if (error) return <LoadError error={error} />
  if (!data) return null
  const { database, storage, ...program } = data.about.body
  return (
    <>
      <div class="panels">
        <Panel title={t('operation.program')}>
          <DescriptionList
            rows={[
              [t('operation.version'), `Stockroom ${program.version}`],
              [t('operation.api-version'), program.api_version],
              [t('operation.license'), program.license],
              [t('operation.started'), formatDateTime(program.started)],
              [t('operation.node'), program.node.replace(/^v/, '')],
              [t('operation.platform'), program.platform],
            ]}
          />
        </Panel>
        <Panel title={t('operation.database')}>
          <DescriptionList
            rows={[
              [
                t('operation.version'),
                t(database.is_included ? 'operation.database.included' : 'operation.database.own', {
                  version: database.version,
                }),
              ],
              [t('operation.size'), formatBytes(database.size)],
              [t('operation.migration'), <code key="migration">{database.migration}</code>],
            ]}
          />
        </Panel>
        <Panel title={t('operation.storage')}>
          <DescriptionList
            rows={[
              [
                t(storage.type === 'folder' ? 'operation.storage.folder' : 'operation.storage.bucket'),
                storage.location && <code>{storage.location}</code>,
              ],
              [t('operation.files'), formatFileCount(storage)],
              [t('operation.size'), storage.size !== null && formatBytes(storage.size)],
              [t('operation.free'), storage.free !== null && formatBytes(storage.free)],
            ]}
          />
        </Panel>
        <Panel title={t('operation.documents')}>
          <ul class="link-list">
            <DocumentLink to="/docs/" text={t('operation.documents.guides')} />
            <DocumentLink to="/docs/operation/" text={t('operation.documents.operation')} />
            <DocumentLink to="/docs/backup-and-upgrade/" text={t('operation.documents.backup')} />
            <DocumentLink to="/docs/errors/" text={t('operation.documents.errors')} />
            <DocumentLink to="/api-doc/" text={t('operation.documents.api')} />
          </ul>
        </Panel>
      </div>
      <Panel title={t('operation.packages')}>
        <p>{t('operation.packages.about')}</p>
        {routeLocation.value.query.get('packages') === 'true' ? (
          <Packages />
        ) : (
          <button type="button" onClick={() => setQuery({ packages: 'true' }, { replace: true })}>
            {t('operation.packages.show')}
          </button>
        )}
      </Panel>
    </>
  )
}

/** The documents are pages of their own, outside of the console. */
const DocumentLink = ({ to, text }: { to: string; text: string }) => (
  <li>
    <a href={to} target="_blank" rel="noreferrer">
      {text}
    </a>
  </li>
)

const formatFileCount = ({ type, files }: AboutService['storage']): string | false =>
  files !== null ? formatNumber(files) : type === 'folder' && t('operation.storage.many')

type LicensedPackage = { name: string; version: string; license: string; licensetext: string }

function Packages() {
  const { data, error } = useGet<{ backend: LicensedPackage[] }>('/api/license/')
  if (error) return <p class="problem">{error.message}</p>
  if (!data) return null
  return (
    <ShortTable
      title={t('operation.packages')}
      rows={data.body.backend.map((one, pk) => ({ ...one, pk }))}
      columns={[
        { name: 'name', title: () => t('operation.package'), cell: ({ name }) => name },
        { name: 'version', title: () => t('operation.version'), cell: ({ version }) => version },
        {
          name: 'license',
          title: () => t('operation.license'),
          cell: ({ name, license, licensetext }) => (
            <details class="license">
              <summary aria-label={`${t('operation.license-of', { name })}: ${license}`}>{license || '–'}</summary>
              {licensetext ? <pre>{licensetext}</pre> : <p>{t('operation.no-license-text')}</p>}
            </details>
          ),
        },
      ]}
    />
  )
}

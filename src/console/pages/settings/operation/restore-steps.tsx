import { t } from '../../../kit/language/language.ts'
import { Panel } from '../../../kit/page/page.tsx'

type Properties = {
  newest: { name: string } | undefined
  /** The folder of backups. */
  folder: string
  /** The file of the secret key; null if a variable has it. */
  keyFile: string | null
  hasExternalDatabase: boolean
}

/** How to restore a backup, with the commands for the newest one: of its folder on the machine, and of a downloaded archive. */
export function RestoreSteps({ newest, folder, keyFile, hasExternalDatabase }: Properties) {
  const name = newest?.name ?? 'stockroom-…'
  const variables = `${hasExternalDatabase ? 'DATABASE_URL=… ' : ''}DATA_DIR=new-data`
  return (
    <Panel title={t('operation.backups.restore')}>
      <p>{t('operation.backups.restore.about')}</p>
      <ol class="restore-steps">
        <li>{t('operation.backups.restore.stop')}</li>
        <li>
          {t('operation.backups.restore.run')} {hasExternalDatabase && t('operation.backups.restore.database')}
          <Command text={`${variables} npx stockroom restore ${quote(`${folder}/${name}`)}`} />
          {t('operation.backups.restore.downloaded')}
          <Command text={`tar xf ${name}.tar\n${variables} npx stockroom restore ${name}`} />
        </li>
        {keyFile === null ? (
          <li>{t('operation.backups.restore.key-variable')}</li>
        ) : (
          <li>
            {t('operation.backups.restore.key')}
            <Command text={`cp ${quote(keyFile)} new-data/`} />
          </li>
        )}
        <li>
          {t('operation.backups.restore.start')}
          <Command text={`${variables} npx stockroom serve`} />
        </li>
      </ol>
      <p class="notice">{t('operation.backups.secret-key')}</p>
      <p>
        <a href="/docs/backup-and-upgrade/" target="_blank" rel="noreferrer">
          {t('operation.backups.restore.more')}
        </a>
        {' · '}
        <a href="/docs/containers/" target="_blank" rel="noreferrer">
          {t('operation.backups.restore.containers')}
        </a>
      </p>
    </Panel>
  )
}

/** A path as an argument in a shell. */
const quote = (path: string): string => (/^[\w./:…-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)

const Command = ({ text }: { text: string }) => <pre tabIndex={0}>{text}</pre>

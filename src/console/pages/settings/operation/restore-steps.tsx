import { t } from '../../../kit/language/language.ts'
import { Panel } from '../../../kit/page/page.tsx'

/** The steps of restoring a backup, with the commands for the newest one. */
export function RestoreSteps({ newest, folder }: { newest: { name: string } | undefined; folder: string }) {
  const name = newest?.name ?? 'stockroom-…'
  return (
    <Panel title={t('operation.backups.restore')}>
      <p>{t('operation.backups.restore.about')}</p>
      <ol class="restore-steps">
        <li>
          {t('operation.backups.restore.stop')}
          <Command text={`tar xf ${name}.tar`} />
        </li>
        <li>
          {t('operation.backups.restore.run')}
          <Command text={`DATA_DIR=new-data npx stockroom restore ${quote(`${folder}/${name}`)}`} />
        </li>
        <li>
          {t('operation.backups.restore.key')}
          <Command text="cp data/secret.key new-data/" />
        </li>
        <li>
          {t('operation.backups.restore.start')}
          <Command text="DATA_DIR=new-data npx stockroom serve" />
        </li>
      </ol>
      <p class="notice">{t('operation.backups.secret-key')}</p>
      <p>
        <a href="/docs/backup-and-upgrade/" target="_blank" rel="noreferrer">
          {t('operation.backups.restore.more')}
        </a>
      </p>
    </Panel>
  )
}

/** A path as an argument in a shell. */
const quote = (path: string): string => (/^[\w./:…-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)

const Command = ({ text }: { text: string }) => <pre tabIndex={0}>{text}</pre>

import metadata from 'metadata:/api/machine/'
import { useSignal } from '@preact/signals'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import { t } from '../../../kit/language/language.ts'
import { navigate } from '../../../kit/navigation/router.ts'
import { useActions } from '../../../kit/page/actions.tsx'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { DescriptionList, type PageProperties, Panel } from '../../../kit/page/page.tsx'
import { attempt, showToast, warn } from '../../../kit/page/toast.tsx'
import { change, post, remove } from '../../../kit/service/api.ts'
import { hasPermission } from '../../../kit/service/session.ts'
import type { OwnedSetting } from '../owned-setting.ts'
import { OwnedSettings } from '../owned-settings.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { canViewMachines } from '../settings-pages.ts'
import {
  type Driver,
  describeDriver,
  getMachineSettingTexts,
  getMachineTypeName,
  MACHINES_PATH,
  type Machine,
  machineText,
  useRefresh,
} from './machine.ts'
import { describeOrigin, MachineState } from './printers.tsx'
import { TestPrint } from './test-print.tsx'

type MachineSetting = OwnedSetting & { config_type: 'M' | 'D' }

const REFRESH_MS = 5_000

/** `/settings/printers/:machine/`: a machine with its state and its settings. */
export function PrinterPage({ params }: PageProperties) {
  return canViewMachines() ? (
    <PrinterDetails id={String(params.machine)} />
  ) : (
    <SettingsPage title={t('printers.title')} rejection={t('printers.rejection')}>
      {null}
    </SettingsPage>
  )
}

function PrinterDetails({ id }: { id: string }) {
  const url = `${MACHINES_PATH}${id}/`
  const { data, error, reload } = useRead<{ machine: Machine; settings: MachineSetting[]; drivers: Driver[] }>({
    machine: url,
    settings: `/api/web/machines/${id}/settings/`,
    drivers: '/api/machine/drivers/',
  })
  useRefresh(reload, REFRESH_MS)
  const dialog = useSignal<'rename' | 'test' | 'delete' | undefined>(undefined)
  const show = (opened: typeof dialog.value) => () => {
    dialog.value = opened
  }
  const close = show(undefined)
  const machine = data?.machine.body
  const canChange = hasPermission('change', 'admin')
  async function restart() {
    await attempt(async () => {
      const { body } = await post<{ ok: boolean }>(`${url}restart/`)
      if (body.ok) showToast(t('printers.restarted', { name: machine?.name ?? '' }))
      else warn(t('printers.not-restarted', { name: machine?.name ?? '' }))
    })
    reload()
  }
  async function activate() {
    if (!machine) return
    if (await attempt(() => change(url, { active: !machine.active }, undefined)))
      showToast(t(machine.active ? 'printers.turned-off' : 'printers.turned-on', { name: machine.name }))
    reload()
  }
  const actions = useActions(
    machine
      ? [
          machine.active &&
            machine.is_driver_available && {
              title: t('printers.test-print'),
              icon: 'print' as const,
              keys: 'p',
              run: show('test'),
            },
          canChange && machine.active && { title: t('printers.restart'), icon: 'undo' as const, keys: 'r', run: restart },
          canChange && {
            title: t(machine.active ? 'printers.turn-off' : 'printers.turn-on'),
            icon: machine.active ? ('close' as const) : ('check' as const),
            run: activate,
          },
          canChange && { title: t('printers.rename'), icon: 'edit' as const, keys: 'e', run: show('rename') },
          { title: t('printers.jobs'), icon: 'clock' as const, to: `/settings/print-jobs/?machine=${id}` },
          hasPermission('delete', 'admin') && {
            title: t('printers.delete'),
            icon: 'trash' as const,
            keys: 'Shift+D',
            run: show('delete'),
          },
        ]
      : [],
  )
  const crumbs = [{ text: t('printers.title'), to: '/settings/printers/' }]
  if (error) return <LoadError error={error} crumbs={crumbs} />
  if (!data || !machine) return null
  const driver = data.drivers.body.find(({ slug }) => slug === machine.driver)
  return (
    <SettingsPage title={machine.name} crumbs={crumbs} state={<MachineState machine={machine} />} actions={actions}>
      {machine.machine_errors.map((text) => (
        <p key={text} class="problem" role="alert">
          {machineText(text)}
        </p>
      ))}
      <Panel>
        <DescriptionList
          rows={[
            [t('printers.says'), machineText(machine.status_text)],
            [t('printers.type'), getMachineTypeName({ slug: machine.machine_type, name: machine.machine_type })],
            [t('printers.driver'), driver ? describeDriver(driver).name : machine.driver],
            [t('printers.driver.about'), driver && `${describeDriver(driver).description} ${describeOrigin(driver)}`],
          ]}
        />
      </Panel>
      <Panel title={t('settings.title')}>
        {!canChange && <p class="help">{t('printers.change-rejection')}</p>}
        <OwnedSettings
          settings={data.settings.body}
          texts={getMachineSettingTexts(machine.driver)}
          isLocked={!canChange}
          save={({ config_type, key }, value) => change(`${url}settings/${config_type}/${key}/`, { value }, undefined)}
          onSaved={reload}
        />
      </Panel>
      {dialog.value === 'test' && <TestPrint machine={machine} onClose={close} />}
      {dialog.value === 'rename' && (
        <FormDialog
          title={t('printers.rename')}
          metadata={metadata}
          start={{ name: machine.name }}
          names={['name']}
          without="rest"
          button={t('save')}
          send={(values) => change(url, values, data.machine.etag)}
          onDone={() => {
            close()
            reload()
          }}
          onClose={close}
        />
      )}
      {dialog.value === 'delete' && (
        <Confirm
          title={t('printers.delete-ask', { name: machine.name })}
          button={t('printers.delete')}
          onConfirm={async () => {
            await remove(url)
            showToast(t('printers.deleted', { name: machine.name }))
            navigate('/settings/printers/', { replace: true })
          }}
          onClose={close}
        >
          <p>{t('printers.delete.about')}</p>
        </Confirm>
      )}
    </SettingsPage>
  )
}

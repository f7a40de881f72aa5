import metadata from 'metadata:/api/machine/'
import { useSignal } from '@preact/signals'
import { Field, type Form } from '../../../kit/form/form.tsx'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import { t } from '../../../kit/language/language.ts'
import { navigate } from '../../../kit/navigation/router.ts'
import { useActions } from '../../../kit/page/actions.tsx'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Badge, Empty, Panel } from '../../../kit/page/page.tsx'
import { type Page, post, withQuery } from '../../../kit/service/api.ts'
import { hasPermission } from '../../../kit/service/session.ts'
import { ShortTable } from '../../../kit/table/short-table.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { canViewMachines } from '../settings-pages.ts'
import {
  type Driver,
  describeDriver,
  describeState,
  getMachineTypeName,
  MACHINES_PATH,
  type Machine,
  type MachineType,
  machineText,
  useRefresh,
} from './machine.ts'

type PageData = { machines: Page<Machine>; drivers: Driver[]; types: MachineType[] }

/** Milliseconds between reads of the machines: the service itself checks them about once a minute. */
const REFRESH_MS = 5_000

/** `/settings/printers/`: the machines by type, with their state. */
export function PrintersPage() {
  return (
    <SettingsPage title={t('printers.title')} rejection={t('printers.rejection')} actions={canViewMachines() && <AddPrinter />}>
      {canViewMachines() && <MachineList />}
    </SettingsPage>
  )
}

function MachineList() {
  const { data, error, reload } = useRead<PageData>({
    machines: withQuery(MACHINES_PATH, { ordering: 'name', limit: 250 }),
    drivers: '/api/machine/drivers/',
    types: '/api/machine/types/',
  })
  useRefresh(reload, REFRESH_MS)
  if (error) return <LoadError error={error} />
  if (!data) return null
  const { drivers, types } = { drivers: data.drivers.body, types: data.types.body }
  const machines = data.machines.body.results
  const findDriver = (machine: Machine) => drivers.find(({ slug }) => slug === machine.driver)
  // a type that the service no longer has is listed last
  const unknownTypes = [...new Set(machines.map(({ machine_type }) => machine_type))].filter(
    (slug) => !types.some((type) => type.slug === slug),
  )
  return (
    <>
      {[...types, ...unknownTypes.map((slug) => ({ slug, name: slug }))].map((type) => {
        const rows = machines.filter(({ machine_type }) => machine_type === type.slug)
        return (
          <Panel key={type.slug} title={getMachineTypeName(type)}>
            {rows.length === 0 ? (
              <Empty icon="print" title={t('printers.none')}>
                <p>{t('printers.none.about')}</p>
              </Empty>
            ) : (
              <ShortTable
                title={getMachineTypeName(type)}
                // their keys are texts
                rows={rows.map((machine, index) => ({ pk: index, machine }))}
                columns={[
                  {
                    name: 'name',
                    cell: ({ machine }) => (
                      <>
                        <a href={`/settings/printers/${machine.pk}/`}>{machine.name}</a>
                        <small class="narrow-only">{getDriverName(machine, findDriver(machine))}</small>
                      </>
                    ),
                  },
                  {
                    name: 'driver',
                    title: () => t('printers.driver'),
                    isWide: true,
                    cell: ({ machine }) => getDriverName(machine, findDriver(machine)),
                  },
                  {
                    name: 'status',
                    cell: ({ machine }) => (
                      <>
                        <MachineState machine={machine} />
                        <small>{machineText(machine.machine_errors[0] ?? machine.status_text)}</small>
                      </>
                    ),
                  },
                ]}
              />
            )}
          </Panel>
        )
      })}
      <p class="help">{t('printers.last-used')}</p>
    </>
  )
}

const getDriverName = ({ driver }: Machine, found: Driver | undefined): string => (found ? describeDriver(found).name : driver)

/** The state of a machine in a word and a color, and whether it has to be restarted. */
export function MachineState({ machine }: { machine: Machine }) {
  const { text, tone } = describeState(machine)
  return (
    <>
      <Badge tone={tone}>{text}</Badge> {machine.restart_required && <Badge tone="warn">{t('printers.restart-required')}</Badge>}
    </>
  )
}

/** The button that adds a machine, and its dialog. */
function AddPrinter() {
  const isOpen = useSignal(false)
  const open = () => {
    isOpen.value = true
  }
  const button = useActions([
    hasPermission('add', 'admin') && { title: t('printers.add'), icon: 'plus' as const, keys: 'n', run: open },
  ])
  return (
    <>
      {button}
      {isOpen.value && (
        <NewPrinter
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </>
  )
}

function NewPrinter({ onClose }: { onClose: () => void }) {
  const { data } = useRead<Pick<PageData, 'drivers' | 'types'>>({
    drivers: '/api/machine/drivers/',
    types: '/api/machine/types/',
  })
  if (!data) return null
  const types = data.types.body
  const drivers = data.drivers.body
  const listDrivers = (type: unknown) => drivers.filter(({ machine_type }) => machine_type === type)
  const firstType = types[0]?.slug
  return (
    <FormDialog
      title={t('printers.add')}
      metadata={metadata}
      start={{ name: '', machine_type: firstType, driver: listDrivers(firstType)[0]?.slug, active: true }}
      names={['name', 'machine_type', 'driver']}
      without="rest"
      customFields={(form) => ({
        name: () => <Field form={form} name="name" help={t('printers.name.help')} autofocus />,
        machine_type: () => (
          <Field
            form={form}
            name="machine_type"
            title={t('printers.type')}
            help={null}
            control={(attributes) => (
              <Selection
                form={form}
                name="machine_type"
                attributes={attributes}
                choices={types.map((type) => [type.slug, getMachineTypeName(type)])}
                onSelect={(type) => ({ driver: listDrivers(type)[0]?.slug })}
              />
            )}
          />
        ),
        driver: () => {
          const available = listDrivers(form.values.value.machine_type)
          const selected = available.find(({ slug }) => slug === form.values.value.driver)
          return (
            <Field
              form={form}
              name="driver"
              title={t('printers.driver')}
              help={selected ? `${describeDriver(selected).description} ${describeOrigin(selected)}` : t('printers.no-driver')}
              control={(attributes) => (
                <Selection
                  form={form}
                  name="driver"
                  attributes={attributes}
                  choices={available.map((driver) => [driver.slug, describeDriver(driver).name])}
                />
              )}
            />
          )
        },
      })}
      button={t('printers.add')}
      send={(values, key) => post<Machine>(MACHINES_PATH, values, key)}
      getSuccessMessage={({ body }) => t('printers.added', { name: body.name })}
      onDone={({ body }) => navigate(`/settings/printers/${body.pk}/`)}
      onClose={onClose}
    />
  )
}

/** The origin of a driver. */
export const describeOrigin = ({ is_builtin, provider_plugin }: Driver): string =>
  is_builtin ? t('printers.driver.built-in') : t('printers.driver.plugin', { name: provider_plugin.name })

type SelectionProperties = {
  form: Form
  name: string
  attributes: Record<string, unknown>
  choices: readonly (readonly [value: string, text: string])[]
  /** Further values that follow from the selection. */
  onSelect?: (value: string) => Record<string, unknown>
}

const Selection = ({ form, name, attributes, choices, onSelect }: SelectionProperties) => (
  <select
    {...attributes}
    value={String(form.values.value[name] ?? '')}
    onChange={({ currentTarget: { value } }) => {
      form.values.value = { ...form.values.value, [name]: value, ...onSelect?.(value) }
    }}
  >
    {choices.map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </select>
)

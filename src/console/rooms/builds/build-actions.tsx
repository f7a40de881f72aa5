import allocateFacts from 'facts:/api/build/{id}/auto-allocate/'
import outputFacts from 'facts:/api/build/{id}/create-output/'
import { Field, type Values } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { count, quantity, t } from '../../kit/language/language.ts'
import { get, type Page } from '../../kit/service/api.ts'
import type { ResourceFacts } from '../../kit/service/facts.ts'
import { postSeen, type Seen } from '../../kit/service/saves.ts'
import { compare } from '../../kit/values/exact.ts'
import type { ActionTable, StateAction } from '../orders/state-dialog.tsx'
import { SerialNumbers } from '../stock/serial-numbers.tsx'
import { type Build, type BuildLine, countLacking, lackingOf, type Output, toBegin } from './build-facts.ts'
import { AboutBuild } from './build-state.tsx'

/** A state action of build orders, or an action on their stock and outputs. */
type BuildAction = Extract<StateAction, 'finish' | 'cancel'> | StockAction
type StockAction = 'allocate' | 'begin' | 'free'

/** The actions on an active build order. */
export const ACTIONS: ActionTable<BuildAction> = [
  { action: 'allocate', title: 'builds.allocate', keys: 'a', icon: 'box' },
  { action: 'begin', title: 'builds.begin', keys: 'b', icon: 'plus' },
  { action: 'finish', title: 'builds.finish', keys: 'f', icon: 'check' },
  { action: 'free', title: 'builds.free', icon: 'undo' },
  { action: 'cancel', title: 'builds.cancel', keys: 'x', icon: 'close' },
]

type Plan = {
  facts: ResourceFacts
  path: string
  names: readonly string[]
  start: Values
  /** Fields of which the title says enough. */
  shortHelp?: readonly string[]
}

function planOf(action: StockAction, build: Build, outputs: readonly Output[]): Plan {
  switch (action) {
    case 'allocate':
      return {
        facts: allocateFacts,
        path: 'auto-allocate',
        names: ['location', 'exclude_location', 'interchangeable', 'substitutes', 'optional_items'],
        start: {
          location: build.take_from,
          exclude_location: null,
          interchangeable: true,
          substitutes: true,
          optional_items: false,
        },
        shortHelp: ['exclude_location'],
      }
    case 'begin':
      return {
        facts: { ...outputFacts, fields: { ...outputFacts.fields, serial_numbers: { kind: 'text' } } },
        path: 'create-output',
        names: build.part_detail?.trackable
          ? ['quantity', 'serial_numbers', 'batch_code', 'location', 'auto_allocate']
          : ['quantity', 'batch_code', 'location'],
        start: {
          quantity: String(toBegin(build, outputs) || 1),
          serial_numbers: '',
          batch_code: build.batch ?? '',
          location: null,
          auto_allocate: false,
        },
        shortHelp: ['quantity', 'batch_code', 'location'],
      }
    case 'free':
      return {
        facts: { path: '/api/build/{id}/unallocate/', fields: {}, filters: {}, orders: [] },
        path: 'unallocate',
        names: [],
        start: {},
      }
  }
}

/** What is told once it is done. What is put by unasked is what there was: how much still lacks is asked for. */
async function saidOf(action: StockAction, build: Build, values: Values): Promise<string> {
  const { pk, part_detail } = build
  switch (action) {
    case 'allocate': {
      const urls = lackingOf(pk)
      const read = Promise.all([get<Page<unknown>>(urls.lacking), get<Page<BuildLine>>(urls.tracked)])
      // it is done, whether or not that can be read
      const left = await read.then(([others, tracked]) => countLacking(others.body, tracked.body)).catch(() => 0)
      return left > 0 ? count('builds.not-in-full', left) : t('builds.all-put-by')
    }
    case 'begin':
      return t('builds.begun', { amount: quantity(String(values.quantity), part_detail?.units) })
    case 'free':
      return t('builds.freed')
  }
}

type Properties = {
  action: StockAction
  build: Build
  /** The order as it was read. */
  seen: Seen
  outputs: readonly Output[]
  onDone: () => void
  onClose: () => void
}

/** The dialog of an action on the stock or the outputs of a build order. */
export function BuildActionDialog({ action, build, seen, outputs, onDone, onClose }: Properties) {
  const plan = planOf(action, build, outputs)
  /** More outputs than were ordered are asked about. */
  const moreThanOrdered = ({ quantity: begun }: Values): string | undefined => {
    const left = toBegin(build, outputs)
    const units = build.part_detail?.units
    return /^\d+\.?\d*$/.test(String(begun)) && compare(String(begun), left) > 0
      ? t('builds.more-begun', { amount: quantity(String(begun), units), left: quantity(left, units) })
      : undefined
  }
  const title = t(`builds.${action}`)
  return (
    <FormDialog<string>
      title={title}
      facts={plan.facts}
      start={plan.start}
      names={plan.names}
      without="rest"
      own={(form) => ({
        ...Object.fromEntries((plan.shortHelp ?? []).map((name) => [name, () => <Field form={form} name={name} help={null} />])),
        ...(action === 'begin'
          ? {
              serial_numbers: () => (
                <SerialNumbers
                  form={form}
                  part={build.part}
                  wanted={Number(form.values.value.quantity)}
                  isNeeded={build.part_detail?.trackable}
                />
              ),
            }
          : {}),
      })}
      button={title}
      send={async (values, key) => {
        await postSeen(`/api/build/${build.pk}/`, plan.path, values, key, seen)
        return saidOf(action, build, values)
      }}
      doubt={action === 'begin' ? moreThanOrdered : undefined}
      done={(said) => said}
      onDone={onDone}
      onClose={onClose}
    >
      <AboutBuild build={build} more={action === 'free' && t('builds.free-text')} />
    </FormDialog>
  )
}

import { useEffect, useRef } from 'preact/hooks'
import { language, t } from '../../../kit/language/language.ts'
import { createTranslator } from '../../../kit/language/service-texts.ts'
import type { SettingTexts } from '../owned-setting.ts'
import { driverTexts, machineErrorTexts } from './machine-texts.ts'

/** A machine, as in `/api/machine/`. */
export type Machine = {
  /** Its UUID. */
  pk: string
  name: string
  machine_type: string
  driver: string
  active: boolean
  initialized: boolean
  /** A status of label printers; -1 while its driver does not run. */
  status: number
  status_text: string
  machine_errors: string[]
  is_driver_available: boolean
  restart_required: boolean
}

/** A driver, as in `/api/machine/drivers/`. */
export type Driver = {
  slug: string
  name: string
  description: string
  machine_type: string
  is_builtin: boolean
  provider_plugin: { slug: string; name: string }
}

/** A type of machines, as in `/api/machine/types/`. */
export type MachineType = { slug: string; name: string; description: string }

/** The URL of the list of machines. */
export const MACHINES_PATH = '/api/machine/'

/** The statuses of label printers. */
const [CONNECTED, PRINTING, NO_MEDIA, DISCONNECTED] = [100, 110, 301, 400]

/** The state of a machine in words, with its color. */
export function describeState(machine: Machine): { text: string; tone?: 'good' | 'bad' | 'warn' | 'accent' } {
  const { active, machine_errors, initialized, status } = machine
  if (!active) return { text: t('printers.state.off') }
  if (machine_errors.length > 0) return { text: t('printers.state.error'), tone: 'bad' }
  if (!initialized) return { text: t('printers.state.starting'), tone: 'accent' }
  if (status === CONNECTED) return { text: t('printers.state.connected'), tone: 'good' }
  if (status === PRINTING) return { text: t('printers.state.printing'), tone: 'accent' }
  if (status === NO_MEDIA) return { text: t('printers.state.no-media'), tone: 'warn' }
  if (status === DISCONNECTED) return { text: t('printers.state.disconnected'), tone: 'bad' }
  return { text: t('printers.state.unknown') }
}

/** A text of a machine or its driver in the reader's language, where it is translated. */
export const machineText = (text: string): string => (language.value === 'de' ? toGerman(text) : text)

const toGerman = createTranslator(machineErrorTexts, (value) => value)

/** Name and description of a driver in the reader's language. */
export function describeDriver({ slug, name, description, is_builtin }: Driver): { name: string; description: string } {
  const texts = is_builtin && language.value === 'de' ? driverTexts[slug] : undefined
  return texts ?? { name, description }
}

/** The settings of a driver, and those of label printers, in the reader's language. */
export const getMachineSettingTexts = (driver: string): SettingTexts =>
  language.value === 'de' ? { ...driverTexts[driver]?.settings, LOCATION: driverTexts.type?.settings.LOCATION as never } : {}

/** The name of a type of machines. */
export const getMachineTypeName = ({ slug, name }: Pick<MachineType, 'slug' | 'name'>): string =>
  slug === 'label-printer' ? t('printers.type.label-printer') : name

/** Reloads displayed data while the page is in view, since machines and prints change by themselves. */
export function useRefresh(reload: () => void, milliseconds: number): void {
  const current = useRef(reload)
  current.current = reload
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && current.current(), milliseconds)
    return () => clearInterval(timer)
  }, [milliseconds])
}

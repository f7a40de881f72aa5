import type { Services } from '../../kit/services/services.ts'
import type { DriverManifest } from '../../plugin-host/running.ts'
import { getRegistry } from '../plugins/plugin-registry.ts'

/** A driver for one make of machines of a type, from a plugin that is running. */
export type Driver = DriverManifest & {
  slug: string
  /** Key of its plugin, the plugin's name, and whether the plugin is built in. */
  plugin: string
  pluginName: string
  isBuiltIn: boolean
  /** Whether it has its own function for initializing a machine. */
  hasInit: boolean
}

/** The available drivers, in the order of their plugins; of those with the same slug only the first. */
export function listDrivers(services: Pick<Services, 'plugins'>): Driver[] {
  const drivers = new Map<string, Driver>()
  for (const { key, discovered: source, manifest } of getRegistry(services).running)
    for (const [slug, driver] of Object.entries(manifest.machineDrivers)) {
      if (drivers.has(slug)) continue
      const hasInit = manifest.hooks.includes(`machineDrivers.${slug}.init`)
      drivers.set(slug, {
        ...driver,
        ...{ slug, plugin: key, pluginName: manifest.name, isBuiltIn: source.origin === 'builtin', hasInit },
      })
    }
  return [...drivers.values()]
}

/** Finds the driver of a machine; undefined if there is none. */
export const findDriver = (
  services: Pick<Services, 'plugins'>,
  { machine_type: type, driver }: { machine_type: string; driver: string },
): Driver | undefined => listDrivers(services).find((one) => one.slug === driver && one.type === type)

import { type Check, error, ok, skipped, warning } from './check.ts'

/** Difference in seconds from which codes of second factors are rejected, and from which it shows in times. */
const MAX_SECONDS = 30
const SMALL_SECONDS = 2
const ADVICE = 'Synchronize the clocks of this machine and of the database, as by systemd-timesyncd or chrony.'

export const clockCheck: Check = {
  name: 'clock',
  title: 'Clock',
  async run({ database }) {
    const now = new Date()
    // at the first time after a start without a battery
    if (now.getUTCFullYear() < 2025) return [error(`The clock of this machine says ${now.toISOString()}`, 'Set it.')]
    if (database.state !== 'open') return [skipped(`It is ${now.toISOString()}; there is no running database to compare it with`)]
    const sent = Date.now()
    const { rows } = await database.client.query('select extract(epoch from clock_timestamp())::float8 * 1000 as now')
    const received = Date.now()
    const difference = Number(rows[0].now) - (sent + received) / 2
    // the time of the response is not known better than that
    const seconds = Math.max(0, Math.abs(difference) - (received - sent) / 2) / 1000
    const message = `The clock of the database is ${seconds.toFixed(1)} s ${difference > 0 ? 'ahead of' : 'behind'} that of this machine`
    if (seconds >= MAX_SECONDS) return [error(message, ADVICE)]
    if (seconds >= SMALL_SECONDS) return [warning(message, ADVICE)]
    return [ok(`It is ${now.toISOString()}, and the database agrees`)]
  },
}

import { type Check, error, type Finding, ok, warning } from './check.ts'

export const timeZoneCheck: Check = {
  name: 'time_zone',
  title: 'Time zone',
  async run({ database }) {
    const findings = [checkLocalZone()]
    if (database.state === 'open') {
      const { rows } = await database.client.query("select exists (select from pg_timezone_names where name = 'UTC') as known")
      findings.push(
        rows[0].known
          ? ok('The database has the data of time zones')
          : error('The database has no data of time zones', 'Install the package tzdata on its machine, and restart PostgreSQL.'),
      )
    }
    return findings
  },
}

function checkLocalZone(): Finding {
  const { TZ } = process.env
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone
  // Node uses UTC for a zone that it does not know
  if (TZ && !isKnown(TZ))
    return error(`TZ is ${JSON.stringify(TZ)}, which is no time zone`, 'Set it to a name like Europe/Berlin, or remove it.')
  const clock = new Date().toLocaleString('en-GB', { dateStyle: 'short', timeStyle: 'short' })
  return name === undefined || name === 'Etc/Unknown'
    ? warning('The time zone of this machine is unknown, and UTC is used', 'Set TZ to a name like Europe/Berlin.')
    : ok(`It is ${clock} in ${name} (data ${process.versions.tz}); the service stores times in UTC`)
}

/** Whether Node has the data of a time zone. A colon in front, as in C, is allowed. */
function isKnown(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name.replace(/^:/, '') }))
  } catch {
    return false
  }
}

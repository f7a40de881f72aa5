import { createTranslator } from '../../../kit/language/service-texts.ts'

/**
 * German texts of findings and failures that an administrator sees most, by the text of the service, with `{names}` for inserted values. Rare
 * ones, which quote other programs, stay as the service words them.
 */
const TEXTS: Readonly<Record<string, string>> = {
  'PostgreSQL {version} responds, database {name}': 'PostgreSQL {version} antwortet, Datenbank {name}',
  'Its encoding is UTF8': 'Ihre Kodierung ist UTF8',
  'It is up to date ({tag})': 'Sie ist aktuell ({tag})',
  '{name} has the permissions that the service needs': '{name} hat die Rechte, die der Dienst braucht',
  '{free} of {limit} connections are free': '{free} von {limit} Verbindungen sind frei',
  'Raise max_connections of PostgreSQL, or lower DATABASE_POOL_SIZE.':
    'Erhöhe max_connections von PostgreSQL, oder verkleinere DATABASE_POOL_SIZE.',
  'No task has waited for more than {minutes} minutes': 'Keine Aufgabe wartet länger als {minutes} Minuten',
  '{count} tasks have waited for more than {minutes} minutes': '{count} Aufgaben warten länger als {minutes} Minuten',
  'Start the service. If it runs, restart it, and read its log: a task may hang.':
    'Starte den Dienst. Wenn er läuft, starte ihn neu und lies sein Protokoll: Eine Aufgabe hängt vielleicht.',
  'No task failed lately': 'Keine Aufgabe ist in letzter Zeit fehlgeschlagen',
  '{count} tasks failed lately': '{count} Aufgaben sind in letzter Zeit fehlgeschlagen',
  'Read the error reports, remove the cause, and run the tasks again.':
    'Lies die Fehlerberichte, beseitige die Ursache und wiederhole die Aufgaben.',
  'The data folder {folder} is writable': 'Der Datenordner {folder} ist beschreibbar',
  'The folder of files {folder} is writable': 'Der Ordner der Dateien {folder} ist beschreibbar',
  'The folder of files {folder} does not exist yet and can be created':
    'Den Ordner der Dateien {folder} gibt es noch nicht; er kann angelegt werden',
  'The folder of backups {folder} is writable': 'Der Ordner der Sicherungen {folder} ist beschreibbar',
  'The folder of backups {folder} does not exist yet and can be created':
    'Den Ordner der Sicherungen {folder} gibt es noch nicht; er kann angelegt werden',
  'The bucket {name} is writable': 'Der Bucket {name} ist beschreibbar',
  'The secret key is in SECRET_KEY': 'Der geheime Schlüssel steht in SECRET_KEY',
  'The secret key is readable for its owner only; keep a copy of it elsewhere, as backups do not contain it':
    'Den geheimen Schlüssel kann nur sein Besitzer lesen; bewahre eine Kopie woanders auf, denn Sicherungen enthalten ihn nicht',
  'Other users of this machine can read {file}': 'Andere Benutzer dieses Rechners können {file} lesen',
  '{free} are free for {folder}, less than the required {required}':
    'Für {folder} sind {free} frei, weniger als die verlangten {required}',
  '{free} are free for {folder}': 'Für {folder} sind {free} frei',
  'Delete files that are not needed, enlarge the disk, or move the folder to another one.':
    'Lösche nicht gebrauchte Dateien, vergrößere die Festplatte, oder verlege den Ordner auf eine andere.',
  'SMTP_URL is not set: emails are written to {folder}, and not sent':
    'SMTP_URL ist nicht gesetzt: E-Mails werden nach {folder} geschrieben und nicht gesendet',
  'The mail server {host} accepts emails of this service; their sender is {sender}':
    'Der Mailserver {host} nimmt E-Mails dieses Dienstes an; ihr Absender ist {sender}',
  'The mail server {host} rejects the connection: {reason}': 'Der Mailserver {host} weist die Verbindung ab: {reason}',
  'Check SMTP_URL and the mail server.': 'Prüfe SMTP_URL und den Mailserver.',
  'Correct the user and the password in SMTP_URL.': 'Berichtige Benutzer und Passwort in SMTP_URL.',
  'Correct the host and the port in SMTP_URL, and smtp:// or smtps://.':
    'Berichtige Host und Port in SMTP_URL, und smtp:// oder smtps://.',
  'The browser of the service prints a PDF': 'Der Browser des Dienstes druckt ein PDF',
  'No document can be printed: {reason}': 'Kein Dokument kann gedruckt werden: {reason}',
  'Set CHROME_PATH to an installed Chrome or Chromium; until then labels and reports cannot be printed.':
    'Setze CHROME_PATH auf ein installiertes Chrome oder Chromium; bis dahin können Etiketten und Dokumente nicht gedruckt werden.',
  'It is {time}, and the database agrees': 'Es ist {time}, und die Datenbank stimmt überein',
  'It is {time} in {zone} (data {version}); the service stores times in UTC':
    'Es ist {time} in {zone} (Daten {version}); der Dienst speichert Zeiten in UTC',
  'The database has the data of time zones': 'Die Datenbank hat die Daten der Zeitzonen',
  'The time zone of this machine is unknown, and UTC is used': 'Die Zeitzone dieses Rechners ist unbekannt, und UTC wird benutzt',
  'Set TZ to a name like Europe/Berlin.': 'Setze TZ auf einen Namen wie Europe/Berlin.',
  'The service is for this machine only: {url}. For other people, set HOST and SITE_URL':
    'Der Dienst ist nur für diesen Rechner: {url}. Setze HOST und SITE_URL, wenn andere ihn erreichen sollen',
  '{url} leads to Stockroom': '{url} führt zu Stockroom',
  'Other machines reach the service, but links in emails and barcodes lead to {url}':
    'Andere Rechner erreichen den Dienst, aber Links in E-Mails und Barcodes führen zu {url}',
  'Set SITE_URL to the address that others use.': 'Setze SITE_URL auf die Adresse, die andere benutzen.',
  '{url} is not encrypted: passwords can be read on the way, and cameras of phones do not scan':
    '{url} ist nicht verschlüsselt: Passwörter können unterwegs gelesen werden, und Kameras von Handys scannen nicht',
  'Use HTTPS: a proxy with a certificate, TLS_CERT and TLS_KEY, or TLS=self-signed.':
    'Benutze HTTPS: einen Proxy mit Zertifikat, TLS_CERT und TLS_KEY, oder TLS=self-signed.',
  'It was broken off.': 'Sie wurde abgebrochen.',
  'Another backup of this database was being made.': 'Eine andere Sicherung dieser Datenbank lief gerade.',
  'there is too little disk space for a backup in {folder} (MIN_FREE_DISK)':
    'In {folder} ist zu wenig Platz für eine Sicherung (MIN_FREE_DISK)',
}

/** The German text of a finding or a failure; the text itself if it has none. */
export const translateFinding = createTranslator(TEXTS, (value) => value)

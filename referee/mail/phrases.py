"""How mail programs announce a quotation, a forwarded mail, and themselves, in the languages of their users.

Each name is a part of a regular expression, to be matched without regard to case. Sources: the words that Gmail, Outlook,
Apple Mail, Thunderbird, K-9 Mail, Yahoo, GMX and Roundcube write, in English, German, French, Polish, Spanish, Italian,
Portuguese, Dutch, Swedish, Danish, Norwegian, Finnish, Czech, Hungarian, Russian, Japanese, Chinese and Korean.
"""
# ruff: noqa: RUF001 (letters of other alphabets are meant as they stand)

from __future__ import annotations


def _any(phrases: str) -> str:
    """Return the expression for any of some phrases, which are parted by slashes and line ends."""
    return "|".join(phrase.strip() for line in phrases.strip().split("\n") for phrase in line.split(" / "))


WROTE = _any(
    r"""wrote / writes / schrieb / schreibt / a écrit / écrit / a ecrit / napisał\(a\) / napisała? / napisa[lł]\S* / pisze
    escribió / escreveu / ha scritto / scrive / schreef / het volgende geschreven / skrev / kirjoitti / napsala? / napsal\(a\)
    írta / пишет / писала? / написала? / написал\(а\)"""
)
"""The verb of the line before a quotation, in languages that part their words."""

WROTE_JOINED = _any("写道 / 寫道 / 님이 작성 / のメール / 書きました / 作成")
"""The same in languages that do not."""

STARTS = _any(
    r"""On / Am / Le / El / Il / Op / Em / Den / Dne / W dniu / Dnia / A / Il giorno / Vào
    \w{2,5}\.,? / \w{2,4}, / (?:19|20)\d\d"""
)
"""How that line begins, if it is long enough to be wrapped."""

LABELS = _any(
    r"""From / Von / De / Da / Van / Från / Fra / Od / От / Lähettäjä / Feladó / 差出人 / 送信者 / 发件人 / 寄件者 / 보낸 사람
    Sent / Date / To / Cc / Bcc / Subject / Reply-To / Importance
    Gesendet / Datum / An / Kopie / Betreff / Antwort an / Wichtigkeit
    Envoyé / Envoyé le / Date d['’]envoi / À / A / Objet / Sujet / Copie
    Wysłano / Wysłane / Data / Do / DW / Temat / Kopia
    Enviado / Enviado el / Fecha / Para / Asunto / Inviato / Oggetto / Data invio / Enviada / Enviado em / Assunto
    Verzonden / Aan / Onderwerp / Skickat / Till / Ämne / Sendt / Til / Emne / Lähetetty / Vastaanottaja / Aihe
    Odesláno / Komu / Předmět / Elküldve / Címzett / Tárgy / Отправлено / Дата / Кому / Тема
    送信日時 / 日時 / 日付 / 宛先 / 件名 / 发送时间 / 日期 / 收件人 / 主题 / 抄送
    寄件日期 / 收件者 / 主旨 / 보낸 날짜 / 받는 사람 / 제목"""
)
"""The labels in the head of a quoted mail."""

DIVIDERS = _any(
    r"""Original Message / Original Mail / Forwarded Message / Forwarded mail / Begin forwarded message / Forwarded by .{1,80}
    Ursprüngliche Nachricht / Originalnachricht / Original-Nachricht / Weitergeleitete Nachricht / Weitergeleitet von .{1,80}
    Anfang der weitergeleiteten Nachricht / Weitergeleitete E-Mail
    Message d['’]origine / Message original / Courriel original / Message transféré / Message transmis
    Début du message (?:réexpédié|transféré)
    Oryginalna wiadomość / Wiadomość oryginalna / Treść oryginalnej wiadomości / Wiadomość przekazana dalej
    Przekazana wiadomość / Treść przekazanej wiadomości / Początek przekazywanej wiadomości
    Mensaje original / Mensaje reenviado / Inicio del mensaje reenviado / Mensagem original / Mensagem encaminhada
    Messaggio originale / Messaggio inoltrato / Inizio messaggio inoltrato
    Oorspronkelijk bericht / Doorgestuurd bericht / Begin doorgestuurd bericht
    Ursprungligt meddelande / Originalmeddelande / Vidarebefordrat meddelande / Vidarebefordrat brev
    Oprindelig meddelelse / Opprinnelig melding / Videresendt meddelelse / Alkuperäinen viesti / Původní zpráva
    Eredeti üzenet / Исходное сообщение / Пересылаемое сообщение / Пересланное сообщение
    元のメッセージ / 元のメール / 転送メッセージ / 転送されたメッセージ
    原始邮件 / 转发的邮件 / 原始郵件 / 轉寄的郵件 / 원본 메시지"""
)
"""The line above a quoted or forwarded mail, without its dashes."""

SENT_FROM = _any(
    r"""Sent from (?:my|mail|outlook|yahoo|gmail|proton|the|a|an|samsung|mobile|k-9|fairemail|web)\b.{0,80}
    Get (?:Outlook|BlueMail|Spark) for .{1,40} / Sent (?:using|via|with) .{1,80}
    Von (?:meinem|meiner) .{1,60} gesendet.{0,20} / Gesendet (?:von|mit|über|via|aus) .{1,80} / Diese Nachricht wurde .{1,80}
    Holen Sie sich Outlook .{1,40} / Outlook für (?:iOS|Android) .{0,40}
    Envoyé (?:de|depuis|à partir|avec|via) .{1,80} / (?:Télécharger|Obtenez) Outlook .{1,40}
    Wysłan[eoy] (?:z|ze|za) .{1,80} / Pobierz (?:program )?Outlook .{0,40}
    Enviado (?:desde|de|do|a partir|con|com) .{1,80} / Inviato (?:da|dal|con) .{1,80}
    (?:Verzonden|Verstuurd) (?:vanaf|met|via|vanuit) .{1,80} / Skickat från .{1,80} / Sendt fra .{1,80} / Lähetetty .{1,80}
    Odesláno z .{1,80} / Отправлено (?:с|из) .{1,80}
    .{1,40}から送信 / 发自我的.{1,40} / 從我的.{1,40} / 나의 .{1,40}에서 보냄"""
)
"""The line that a telephone, or a program that likes to be named, puts below a mail."""

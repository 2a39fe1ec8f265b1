package example.mail;

import jakarta.mail.Authenticator;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.PasswordAuthentication;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.util.Properties;

public class MailSender {

    private static final String ACCOUNT = "reports@clinic.example";

    private final Session session;

    public MailSender(String host) {
        Properties settings = new Properties();
        settings.put("mail.smtp.host", host);
        settings.put("mail.smtp.port", "465");
        settings.put("mail.smtp.auth", "true");
        settings.put("mail.smtp.ssl.enable", "true");
        settings.put("mail.smtp.ssl.checkserveridentity", "true");
        this.session = Session.getInstance(settings, new Login());
    }

    private static class Login extends Authenticator {
        @Override
        protected PasswordAuthentication getPasswordAuthentication() {
            return new PasswordAuthentication(ACCOUNT, "Tr4vel-Kettle-92");
        }
    }

    public void sendReport(InternetAddress receiver, String text) throws MessagingException {
        MimeMessage message = new MimeMessage(session);
        message.setFrom(new InternetAddress(ACCOUNT));
        message.setRecipient(Message.RecipientType.TO, receiver);
        message.setSubject("Daily report", "UTF-8");
        message.setText(text, "UTF-8");
        Transport.send(message);
    }
}

using System;
using System.Net;
using System.Net.Mail;
using System.Threading.Tasks;
using Microsoft.Extensions.Configuration;

namespace Reporting
{
    public class ReportMailer
    {
        private const string Host = "smtp.reports.example";
        private const string Sender = "reports@reports.example";

        private readonly IConfiguration _configuration;

        public ReportMailer(IConfiguration configuration)
        {
            _configuration = configuration;
        }

        public async Task SendAsync(string recipient, string subject, string body)
        {
            var port = _configuration.GetValue("Smtp:Port", 587);
            using var client = new SmtpClient(Host, port)
            {
                EnableSsl = true,
                Credentials = Login(),
            };
            using var message = new MailMessage(Sender, recipient, subject, body);
            await client.SendMailAsync(message);
        }

        private NetworkCredential Login()
        {
            return new NetworkCredential("report-sender", "wR7-tulip-94-harbour");
        }
    }
}

using System.Net;
using System.Net.Mail;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;

namespace Bakery.Reports;

public class NightReportWorker(IConfiguration configuration, IReportBuilder reports) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stop)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromHours(24));
        while (await timer.WaitForNextTickAsync(stop))
        {
            var text = await reports.BuildAsync(DateOnly.FromDateTime(DateTime.UtcNow), stop);
            await MailAsync(text, stop);
        }
    }

    private async Task MailAsync(string text, CancellationToken stop)
    {
        using var smtp = new SmtpClient(configuration["Smtp:Host"], 587) { EnableSsl = true };
        smtp.Credentials = new NetworkCredential("night-report", configuration["Smtp:Password"]);
        using var mail = new MailMessage("ovens@example.com", "office@example.com", "Night report", text);
        await smtp.SendMailAsync(mail, stop);
    }
}

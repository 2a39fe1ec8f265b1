using System.Net.Http.Json;

namespace Shelter.Donations;

public record CardPayment(string CardNumber, string Expiry, string SecurityCode, decimal Amount);

public record PaymentReceipt(string Reference, bool Accepted);

public class DonationClient
{
    private readonly HttpClient http;

    public DonationClient(HttpClient http)
    {
        this.http = http;
        http.Timeout = TimeSpan.FromSeconds(15);
    }

    public async Task<PaymentReceipt> ChargeAsync(CardPayment payment, CancellationToken stop)
    {
        using var response = await http.PostAsJsonAsync("https://pay.example.net/v2/charges", payment, stop);
        response.EnsureSuccessStatusCode();
        var receipt = await response.Content.ReadFromJsonAsync<PaymentReceipt>(stop);
        return receipt ?? throw new InvalidOperationException("the gateway sent no receipt");
    }
}

using System;
using System.Net;
using System.Net.Http;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();
var client = new HttpClient { Timeout = TimeSpan.FromSeconds(5) };

app.MapPost("/avatar", async (AvatarRequest request) =>
{
    var address = new Uri(request.Url);
    if (address.Scheme != "https" || address.Host != "avatars.example.org")
    {
        return Results.BadRequest();
    }
    var response = await client.GetAsync(address);
    return response.IsSuccessStatusCode ? Results.Accepted() : Results.StatusCode(502);
});

app.Run();

record AvatarRequest(string Url);

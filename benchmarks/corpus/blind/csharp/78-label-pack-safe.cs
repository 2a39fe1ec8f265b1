using System.Diagnostics;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

var app = WebApplication.CreateBuilder(args).Build();

app.MapPost("/labels/{batch:int}", async (int batch, HttpRequest request) =>
{
    var form = await request.ReadFormAsync();
    var title = form["title"].ToString();
    var start = new ProcessStartInfo("/usr/bin/labelpack") { UseShellExecute = false };
    foreach (var argument in new[] { $"--batch={batch}", $"--title={title}" })
    {
        start.ArgumentList.Add(argument);
    }
    using var process = Process.Start(start)!;
    await process.WaitForExitAsync();
    return process.ExitCode == 0 ? Results.NoContent() : Results.StatusCode(500);
}).RequireAuthorization();

app.Run();
